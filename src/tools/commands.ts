import { parseArgs } from 'node:util'
import { ownVersion } from '../config/versions.ts'
import { layOutLine, printable } from '../text/printable.ts'
import { CassetteError, type ErrorCode } from '../errors.ts'
import { closestTo } from '../text/closest-names.ts'
import type { Command, Terminal } from './terminal/command.ts'
import { deleteCommand } from './history/delete.ts'
import { diff } from './review/diff.ts'
import { doctor } from './doctor/doctor.ts'
import { run } from './serve/run.ts'
import { exportCommand } from './history/export.ts'
import { hash } from './history/hash.ts'
import { importCommand as importOwn } from './history/import.ts'
import { importCommands } from './import/import.ts'
import { init } from './init/init.ts'
import { invalidate } from './invalidate/invalidate.ts'
import { move } from './move/move.ts'
import { mutate } from './mutate/mutate.ts'
import { params } from './params/params.ts'
import { prune } from './prune/prune.ts'
import { recover } from './recover/recover.ts'
import { record } from './record/record.ts'
import { rehearse } from './rehearse/rehearse.ts'
import { resolveCommand } from './resolve/resolve.ts'
import { resume } from './history/resume.ts'
import { review } from './review/review.ts'
import { listStored } from './show/list.ts'
import { show } from './show/show.ts'
import { verifyCommand } from './verify/verify.ts'
import { workspaces } from './history/workspaces.ts'
import { inProject } from './sources/project-folder.ts'
import { checkValues, invalidCommand, type OptionValues, withTexts } from './terminal/options.ts'

const [importRecordings, importHistories] = importCommands(importOwn)

/** Every command, in the groups and the order of the help. */
const GROUPS = {
  daily: [record, diff, review, verifyCommand, show],
  upkeep: [prune, move, recover, resolveCommand, doctor, init, invalidate, params],
  questions: [rehearse, mutate],
  'other programs': [run],
  'other tools': [importRecordings],
  histories: [exportCommand, importHistories, resume, listStored, deleteCommand, hash, workspaces],
} satisfies Record<string, readonly Command[]>

export const COMMANDS: readonly Command[] = Object.values(GROUPS).flat()

/** The errors of a command line, of an option, or of the environment: nothing was looked at. */
const WRONG_CALLS: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid-command',
  'invalid-prices',
  'invalid-option',
  'invalid-environment',
])

/** Runs the command that a command line names, and prints its errors. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name] = words
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.write(helpOfFirstPage())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    terminal.write(`${ownVersion()}\n`)
    return 0
  }
  const count = name === 'history' ? 2 : 1
  const rest = words.slice(count)
  const typed = words.slice(0, count).join(' ')
  if (['history', 'history --help', 'history -h'].includes(typed)) {
    terminal.write(helpOfAll({ histories: GROUPS.histories }))
    return typed === 'history' ? 2 : 0
  }
  const command = COMMANDS.find((known) => known.name === typed)
  if (!command) {
    terminal.warn(
      `There is no command '${layOutLine(typed)}'. Did you mean ${closestCommand(typed)}?\n\n${helpOfFirstPage()}`,
    )
    return 2
  }
  // The words behind `--` are for another program.
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (own.includes('--help') || own.includes('-h')) {
    terminal.write(helpOf(command))
    return 0
  }
  try {
    const { positionals, values } = parse(command, rest)
    checkValues(command.options, values, terminal.cwd)
    const line = inProject(command, { words: positionals, values, terminal })
    return await command.run(line.words, line.values, line.terminal)
  } catch (error) {
    // An error of the file system or of another system call, whose message needs no stack.
    if (error instanceof Error && 'syscall' in error) {
      terminal.warn(terminal.colors.red(layOutLine(error.message)))
      return 1
    }
    if (!CassetteError.isInstance(error)) throw error
    const isUsage = WRONG_CALLS.has(error.code)
    terminal.warn(terminal.colors.red(printable(error.message)))
    return isUsage ? 2 : 1
  }
}

function parse(command: Command, words: string[]): { positionals: string[]; values: OptionValues } {
  if (command.takesAll) return { positionals: words, values: {} }
  try {
    return parseArgs({
      args: withTexts(command.options, words),
      options: command.options,
      allowPositionals: true,
      allowNegative: true,
    }) as { positionals: string[]; values: OptionValues }
  } catch (error) {
    // The first sentence says what is wrong; the others are about positional arguments.
    const problem = (error as Error).message.split('. ')[0]!
    throw invalidCommand(`${problem}.${suggestOption(command, problem)}\n\n${helpOf(command)}`)
  }
}

/** Suggests the option closest to an unknown one. */
function suggestOption({ options }: Command, problem: string): string {
  const [, unknown] = /^Unknown option '-{1,2}(.+)'/.exec(problem) ?? []
  const [closest] = unknown === undefined ? [] : closestTo(unknown, Object.keys(options))
  return closest === undefined ? '' : ` Did you mean --${closest}?`
}

/** Finds the command closest to an unknown one, with or without the name of its group. */
function closestCommand(typed: string): string {
  const short = (name: string): string => name.replace(/^history /, '')
  const names = COMMANDS.map(({ name }) => short(name))
  const [closest] = closestTo(short(typed), names)
  return COMMANDS[names.indexOf(closest!)]!.name
}

/** The help of every command that a test suite needs; what is done with histories has a page of its own. */
function helpOfFirstPage(): string {
  const { histories: _, ...groups } = GROUPS
  return helpOfAll({ ...groups })
}

function helpOfAll(groups: Partial<typeof GROUPS>): string {
  const texts = Object.entries(groups).map(([group, commands = []]) => {
    const lines = commands.map(({ name, summary }) => `  ${name.padEnd(18)} ${summary}\n`)
    return `${group}:\n${lines.join('')}\n`
  })
  const more = groups.histories ? '' : 'Stored conversations: vitest-cassette history --help\n'
  return `vitest-cassette <command>\n\n${texts.join('')}Options of a command: vitest-cassette <command> --help\n${more}`
}

function helpOf({ name, usage, summary, options }: Command): string {
  const lines = Object.entries(options).flatMap(([option, { isOn, help }]) =>
    help === undefined ? [] : `  --${(isOn ? `no-${option}` : option).padEnd(14)} ${help}`,
  )
  return `vitest-cassette ${name} ${usage}\n${summary}\n\n${lines.join('\n')}\n`
}
