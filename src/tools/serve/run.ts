import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { slugOf } from '../../cassette/paths.ts'
import { withoutEmptyKeys } from '../../providers/stand-in-keys.ts'
import { CASSETTE_FOLDER } from '../../config/paths.ts'
import { untilClosed } from '../programs/until-closed.ts'
import { type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import { CASSETTE_OPTIONS, cassetteOptionsOf, closeWithVerdict, spellRecording } from './served.ts'
import { LISTEN_OPTIONS, listen } from './serve.ts'
import { invalidCommand, takesPath } from '../terminal/options.ts'

export const run: Command = defineCommand({
  name: 'run',
  isHere: true,
  usage: '[--cassette <file>] [--mode new] -- <command> | --listen [port] --cassette <file>',
  summary: 'answer the LLM calls of a command in any language with a cassette',
  options: {
    cassette: takesPath(
      'new file',
      'the file of the cassette; __recordings__/<the command>.json, without it',
    ),
    ...CASSETTE_OPTIONS,
    ...LISTEN_OPTIONS,
  },
  async run(command, values, terminal) {
    if (values.listen !== undefined) {
      if (command.length === 0) return listen(values, terminal)
      throw invalidCommand('--listen is for programs that others start: name no command with it.')
    }
    const other = Object.keys(LISTEN_OPTIONS).find((name) => name in values)
    if (other !== undefined) throw invalidCommand(`--${other} is for --listen.`)
    if (command.length === 0)
      throw invalidCommand('Say which command:\n  npx vitest-cassette run -- python agent.py')
    const named = values.cassette
    if (named === undefined) await refuseToName(command, terminal)
    const path = named ?? `${CASSETTE_FOLDER}/${slugOf(command.join(' ')) || 'command'}.json`
    // Loaded here, since no other command needs it.
    const { openProgram } = await import('../../runners/open-program.ts')
    const program = openProgram(
      { path, ...cassetteOptionsOf('run', values) },
      spellRecording('run', values, command),
    )
    // The command gets its base URLs as every child of a program with a cassette does.
    const { code, isStopped } = await runToItsEnd(command, terminal.env)
    const failed = code === 0 || isStopped ? undefined : `the command failed with exit code ${code}`
    const isWell = await closeWithVerdict(program, path, terminal, failed)
    return code === 0 && !isWell ? 1 : code
  },
})

/** A cassette that is named after a command would hold its credentials in its name. */
async function refuseToName(command: readonly string[], { env }: Terminal): Promise<void> {
  const { withoutSecrets } = await import('../../secrets/without-secrets.ts')
  const words = command.join(' ')
  if (withoutSecrets(words, env) !== words)
    throw invalidCommand(
      'The command holds a credential, and its cassette would be named after it. Name another:\n' +
        `  npx vitest-cassette run --cassette ${CASSETTE_FOLDER}/agent.json -- …`,
    )
}

/** Runs a command in this terminal to its end. Tells its exit code, and whether a user stopped it as one stops a server. */
async function runToItsEnd(
  [file, ...args]: readonly string[],
  env: Terminal['env'],
): Promise<{ code: number; isStopped: boolean }> {
  const child = spawn(file!, args, { stdio: 'inherit', env: withoutEmptyKeys(env) })
  let isStopped = false
  try {
    const [code, signal] = await untilClosed(child, () => (isStopped = true))
    return { code: code ?? 128 + constants.signals[signal], isStopped }
  } catch (error) {
    process.stderr.write(
      `The command could not be started: ${explainStart(error as Error, file!)}\n`,
    )
    return { code: 127, isStopped }
  }
}

/** Why a command did not start, and what else starts it: Windows runs npm and npx, which are scripts, by a shell alone. */
export function explainStart(
  { message }: Error,
  file: string,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform !== 'win32' || /\.exe$/i.test(file)) return message
  return `${message}\nIf ${file} is a script, as npm and npx are, begin the command with cmd: -- cmd /c ${file} …`
}
