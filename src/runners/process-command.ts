import { pathFrom } from '../config/paths.ts'
import { quoteWord } from '../text/command-line.ts'

/** A file that a package has installed, such as its command. */
const INSTALLED = /.*[\\/]node_modules[\\/](?:\.bin[\\/])?([\w.-]+)(?:[\\/][^\\/]+)*$/

/** The command by which a process was started; absent where it has no program, as in a console of Node. */
export interface ProcessCommand {
  /** The package whose command it is. */
  runner?: string
  /** The command with its arguments, quoted. */
  command: string
}

/** The command of this process, as its user would type it in a folder. */
export function processCommand(
  [, program, ...args]: readonly string[] = process.argv,
  from: string = process.cwd(),
): ProcessCommand | undefined {
  if (!program) return undefined
  const [, runner] = INSTALLED.exec(program) ?? []
  const words = runner === undefined ? ['node', pathFrom(from, program)] : ['npx', runner]
  return {
    ...(runner === undefined ? {} : { runner }),
    command: [...words, ...args].map((word) => quoteWord(word)).join(' '),
  }
}
