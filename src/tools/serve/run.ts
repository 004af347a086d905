import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { slugOf } from '../../cassette/paths.ts'
import { withoutEmptyKeys } from '../../providers/stand-in-keys.ts'
import { CASSETTE_FOLDER } from '../../config/paths.ts'
import type { Command, Terminal } from '../terminal/command.ts'
import { CASSETTE_OPTIONS, cassetteOptionsOf, closeWithVerdict, spellRecording } from './served.ts'
import { invalidCommand, takesText, textOption } from '../terminal/options.ts'

/** Runs one command, and answers its LLM calls from a cassette. */
export const run: Command = {
  name: 'run',
  usage: '[--cassette <file>] [--mode new] -- <command>',
  summary: 'run a command in any language, and answer its LLM calls with a cassette',
  options: {
    cassette: takesText('the file of the cassette; __recordings__/<the command>.json, without it'),
    ...CASSETTE_OPTIONS,
  },
  async run(command, values, terminal) {
    if (command.length === 0)
      throw invalidCommand('Say which command:\n  npx vitest-cassette run -- python agent.py')
    const named = textOption(values, 'cassette')
    if (named === undefined) await refuseToName(command, terminal)
    const path = named ?? `${CASSETTE_FOLDER}/${slugOfCommand(command)}.json`
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
}

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

function slugOfCommand(command: readonly string[]): string {
  return slugOf(command.join(' ')) || 'command'
}

/** The end of a command. */
interface End {
  code: number
  /** Whether a user stopped it by a signal, as one stops a server. */
  isStopped: boolean
}

/** Runs a command in this terminal, and passes signals to it. */
async function runToItsEnd([file, ...args]: readonly string[], env: Terminal['env']): Promise<End> {
  const child = spawn(file!, args, { stdio: 'inherit', env: withoutEmptyKeys(env) })
  // A terminal sends Ctrl-C to both processes.
  let isStopped = false
  const passOn = (signal: NodeJS.Signals): void => {
    isStopped = true
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  try {
    return { code: await codeOf(child), isStopped }
  } catch (error) {
    process.stderr.write(`The command could not be started: ${(error as Error).message}\n`)
    return { code: 127, isStopped }
  } finally {
    process.off('SIGINT', passOn).off('SIGTERM', passOn)
  }
}

function codeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
}
