import type { RunLine } from '../../attempt/run-channel.ts'
import {
  type AskedInRun,
  differencesBetween,
  type RunDifference,
} from '../../explain/between-runs.ts'
import type { Diagnosis } from '../../explain/diagnose.ts'
import { quoteWord } from '../../text/command-line.ts'
import { recordedTime } from '../../explain/recorded-time.ts'
import { countOf } from '../../text/count-of.ts'
import { withoutSecrets } from '../../secrets/without-secrets.ts'
import { layOutLine, quoteStart } from '../../text/printable.ts'
import { CONFIG, configWords, nameConfig, replayTests } from '../programs/run-vitest.ts'
import { explainUnseenTypes } from '../programs/unseen-types.ts'
import {
  caution,
  type Command,
  defineCommand,
  type ExitCode,
  type Terminal,
} from '../terminal/command.ts'
import { flag, invalidCommand, takesPath } from '../terminal/options.ts'
import { printJson } from '../terminal/write-json.ts'
import { findPersonalData } from './personal-data.ts'
import { writeShareable } from './shareable-report.ts'

/** The name that stands for standard output. */
const STANDARD_OUTPUT = '-'

export const doctor: Command = defineCommand({
  name: 'doctor',
  usage: '[--twice | --report [file]] [--fix] [-- <options of Vitest>]',
  summary: 'run tests in replay, and list the rules for values that vary and for personal data',
  options: {
    twice: flag('run the tests twice, and list what differs between the two runs instead'),
    fix: flag('write the rules for personal data into the config of Vitest'),
    report: {
      ...takesPath(
        'new file',
        'write a report for an issue, to this file (default: standard output): no text of yours',
      ),
      alone: STANDARD_OUTPUT,
    },
    config: CONFIG,
    json: flag('write JSON'),
  },
  async run(positionals, values, terminal) {
    const args = [...configWords(values), ...positionals]
    const { report, json: asJson = false } = values
    if (report !== undefined && values.twice)
      throw invalidCommand('doctor takes --twice or --report, not both.')
    const output = report === STANDARD_OUTPUT ? undefined : report
    if (report !== undefined) return writeShareable(args, { output, asJson }, terminal)
    const compare = values.twice ? compareTwoRuns : compareWithRecording
    const code = await compare(args, asJson, terminal)
    return (await findPersonalData(args, values.fix ?? false, terminal)) ? 1 : code
  },
})

async function compareWithRecording(
  args: readonly string[],
  asJson: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  terminal.warn(terminal.colors.dim('Running the tests, in replay …'))
  const types = explainUnseenTypes(terminal.cwd)
  const { output, exitCode, lines } = await replayTests('doctor', args, terminal)
  const diagnoses = lines.filter((line) => line.kind === 'diagnosis')
  const byTest = new Map(diagnoses.map((line) => [line.found.test, line.found]))
  const found = [...byTest.values()].sort((one, other) => (one.test < other.test ? -1 : 1))
  const isNothing = found.length === 0 && exitCode === 0 && askedIn(lines).size === 0
  if (asJson) printJson(found, terminal)
  if (isNothing) return nothingAsked(terminal, args)
  if (!asJson && found.length > 0) reportDiagnoses(found, terminal, args)
  else if (!asJson && exitCode === 0)
    terminal.write('Every prompt is the recorded one: no value varies that is not declared.\n')
  if (found.length === 0 && exitCode !== 0) terminal.warn(output)
  const unseen = await types
  if (unseen !== undefined) caution(`\n${unseen}`, terminal)
  return exitCode === 0 ? 0 : 1
}

function reportDiagnoses(
  found: readonly Diagnosis[],
  terminal: Terminal,
  args: readonly string[],
): void {
  const { write, colors } = terminal
  for (const { test, pairs, problem } of found) {
    write(`${colors.bold(layOutLine(test))}\n`)
    for (const { recorded, live, rule = '' } of pairs)
      write(`  ${change(recorded, live)}  ${colors.cyan(layOutLine(rule))}\n`)
    if (problem !== undefined) write(`  ${colors.red(layOutLine(problem))}\n`)
  }
  const volatile = found.filter(({ missing }) => missing.length > 0)
  const others = found.length - volatile.length
  if (volatile.length > 0) {
    const pairs = volatile.flatMap((one) => one.pairs)
    const rules = volatile.flatMap(({ declared, missing }) => [...declared, ...missing])
    const time = recordedTime(pairs)
    write(
      `\n${countDifferent(pairs, volatile)} from the recording. ${adviseRules(rules, terminal, args)}`,
    )
    if (time !== undefined)
      write(
        `or let the tests stop the clock:\n  ${colors.bold(`vi.setSystemTime(new Date('${time}'))`)}\n`,
      )
  }
  const twice = args.length > 0 ? ['--', ...args.map((word) => quoteWord(word))] : []
  if (others > 0)
    write(
      `\n${countOf(others, 'test differs', 'tests differ')} in other ways: npx vitest run shows how. If a value is another one in every run, this proposes a rule for it:\n` +
        `  ${colors.bold(['npx vitest-cassette doctor --twice', ...twice].join(' '))}\n`,
    )
}

/** The differences between the requests of one test in two runs. */
interface Compared {
  test: string
  declared: string[]
  differences: RunDifference[]
  hasMiss: boolean
}

/** Runs the tests twice in replay, and lists whatever they ask differently, recorded or not. */
async function compareTwoRuns(
  args: readonly string[],
  asJson: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  const runs: Array<Map<string, AskedInRun>> = []
  for (const time of ['first', 'second']) {
    terminal.warn(terminal.colors.dim(`Running the tests for the ${time} time, in replay …`))
    const { output, lines } = await replayTests('doctor', args, terminal)
    const asked = askedIn(lines)
    if (asked.size === 0) {
      terminal.warn(output)
      return nothingAsked(terminal, args)
    }
    runs.push(asked)
  }
  const [first, second] = runs as [Map<string, AskedInRun>, Map<string, AskedInRun>]
  const found = compareRuns(first, second)
  if (asJson) printJson(found, terminal)
  else reportDifferences(found, [...second.values()], terminal, args)
  return found.length === 0 ? 0 : 1
}

function compareRuns(
  first: ReadonlyMap<string, AskedInRun>,
  second: ReadonlyMap<string, AskedInRun>,
): Compared[] {
  const tests = [...new Set([...first.keys(), ...second.keys()])].toSorted()
  return tests.flatMap((test) => {
    const [one, other] = [first.get(test), second.get(test)]
    const differences = differencesBetween(one?.requests ?? [], other?.requests ?? [])
    const { declared, hasMiss } = (other ?? one)!
    return differences.length === 0 ? [] : [{ test, declared, differences, hasMiss }]
  })
}

/** What to do about a difference for which no rule was found. Patterns find texts of the body alone. */
function withoutRule(place: string): string {
  return place.startsWith('$')
    ? 'no rule was found: a regular expression of yours can declare it'
    : 'no rule can declare it'
}

function reportDifferences(
  found: readonly Compared[],
  asked: readonly AskedInRun[],
  terminal: Terminal,
  args: readonly string[],
): void {
  const { colors, write } = terminal
  for (const { test, differences } of found) {
    write(`${colors.bold(layOutLine(test))}\n`)
    for (const { place, one, other, rule = withoutRule(place) } of differences)
      write(`  ${layOutLine(place)}  ${change(one, other)}  ${colors.cyan(layOutLine(rule))}\n`)
  }
  const differences = found.flatMap((one) => one.differences)
  const rules = found.flatMap((one) => [
    ...one.declared,
    ...one.differences.flatMap(({ rule }) => rule ?? []),
  ])
  if (found.length === 0) write('Both runs asked the same: no value varies that is not declared.\n')
  else write(`\n${countDifferent(differences, found)} between the two runs.\n`)
  if (differences.some(({ rule }) => rule !== undefined)) write(adviseRules(rules, terminal, args))
  if (asked.some(({ hasMiss }) => hasMiss))
    write(
      'Tests stop at a request that is not recorded. Add the line, then run this again: later requests can hold more of them.\n',
    )
}

/** What the tests of a run have asked, by test. A test that is retried writes a line for each attempt. */
function askedIn(lines: readonly RunLine[]): Map<string, AskedInRun> {
  const asked = lines.filter((line) => line.kind === 'asked')
  return new Map(asked.map((line) => [line.asked.test, line.asked]))
}

/** Says that there is nothing to compare, and why that may be. */
function nothingAsked({ cwd, warn }: Terminal, args: readonly string[]): ExitCode {
  warn(
    'No test asked a model, so nothing was compared.\n' +
      `If your tests do, add the plugin cassettes() to ${nameConfig(cwd, args)}.`,
  )
  return 1
}

/** The beginnings of a value before and after. */
function change(before: string, after: string): string {
  return [before, after].map((text) => quoteStart(layOutLine(withoutSecrets(text)))).join(' → ')
}

function countDifferent(values: readonly unknown[], tests: readonly unknown[]): string {
  const differ = values.length === 1 ? 'differs' : 'differ'
  return `${countOf(values.length, 'value')} of ${countOf(tests.length, 'test')} ${differ}`
}

/** Says where to write the rules for values that may differ. */
function adviseRules(
  rules: Iterable<string>,
  { cwd, colors }: Terminal,
  args: readonly string[],
): string {
  return (
    `If that may be, write in cassettes({ … }) in ${nameConfig(cwd, args)}:\n` +
    `  ${colors.bold(`volatile: [${layOutLine([...new Set(rules)].join(', '))}]`)}\n`
  )
}
