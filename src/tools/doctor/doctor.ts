import { existsSync } from 'node:fs'
import { DOCTOR, DOCTOR_ASKED } from '../../config/environment.ts'
import {
  type AskedInRun,
  differencesBetween,
  type RunDifference,
} from '../../explain/between-runs.ts'
import type { Diagnosis } from '../../explain/diagnose.ts'
import { recordedTime } from '../../explain/recorded-time.ts'
import { readJsonLines } from '../../json/json-lines.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine, quoteStart } from '../../text/printable.ts'
import { CONFIG, configWords, nameConfig, runVitest } from '../programs/run-vitest.ts'
import { TempFolder } from '../programs/temp-folder.ts'
import { explainUnseenTypes } from '../programs/unseen-types.ts'
import type { Command, ExitCode, Terminal } from '../terminal/command.ts'
import { flag } from '../terminal/options.ts'
import { printableJson } from '../terminal/write-json.ts'

/** Compares the requests of tests with the recorded ones. */
export const doctor: Command = {
  name: 'doctor',
  usage: '[--twice] [-- <options of Vitest>]',
  summary:
    'run tests in replay, list the values that differ from the recording, and the rules for them',
  options: {
    twice: flag('run the tests twice, and list what differs between the two runs instead'),
    config: CONFIG,
    json: flag('write JSON'),
  },
  async run(positionals, values, terminal) {
    const args = [...configWords(values), ...positionals]
    if (values.twice === true) return compareTwoRuns(args, values.json === true, terminal)
    terminal.warn(terminal.colors.dim('Running the tests, in replay …'))
    const types = explainUnseenTypes(terminal.cwd)
    using folder = new TempFolder()
    const file = folder.file('doctor.jsonl')
    const asked = folder.file('asked.jsonl')
    const more = { [DOCTOR]: file, [DOCTOR_ASKED]: asked }
    const { output, exitCode } = await runVitest(terminal, args, more)
    const found = [...readByTest<Diagnosis>(file).values()].sort((one, other) =>
      one.test < other.test ? -1 : 1,
    )
    if (values.json === true) terminal.write(`${printableJson(found)}\n`)
    else if (found.length > 0) report(found, terminal, args)
    else if (exitCode === 0 && !existsSync(asked)) return nothingAsked(terminal, args)
    else if (exitCode === 0)
      terminal.write('Every prompt is the recorded one: no value varies that is not declared.\n')
    if (found.length === 0 && exitCode !== 0) terminal.warn(output)
    const unseen = await types
    if (unseen !== undefined) terminal.warn(`\n${terminal.colors.yellow(unseen)}`)
    return exitCode === 0 ? 0 : 1
  },
}

function report(found: readonly Diagnosis[], terminal: Terminal, args: readonly string[]): void {
  const { write, colors } = terminal
  for (const { test, pairs, problem } of found) {
    write(`${colors.bold(layOutLine(test))}\n`)
    for (const { recorded, live, rule } of pairs)
      write(
        `  ${quoteStart(layOutLine(recorded))} → ${quoteStart(layOutLine(live))}  ${colors.cyan(layOutLine(rule ?? ''))}\n`,
      )
    if (problem !== undefined) write(`  ${colors.red(layOutLine(problem))}\n`)
  }
  const volatile = found.filter(({ missing }) => missing.length > 0)
  const others = found.length - volatile.length
  if (volatile.length > 0) {
    const pairs = volatile.flatMap((one) => one.pairs)
    const rules = volatile.flatMap(({ declared, missing }) => [...declared, ...missing])
    const values = countOf(pairs.length, 'value')
    const time = recordedTime(pairs)
    write(
      `\n${values} of ${countOf(volatile.length, 'test')} ${pairs.length === 1 ? 'differs' : 'differ'} from the recording. ` +
        adviseRules(rules, terminal, args) +
        (time === undefined
          ? ''
          : `or let the tests stop the clock:\n  ${colors.bold(`vi.setSystemTime(new Date('${time}'))`)}\n`),
    )
  }
  if (others > 0)
    write(
      `\n${countOf(others, 'test')} ${others === 1 ? 'differs' : 'differ'} in other ways: npx vitest run shows how.\n`,
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
  using folder = new TempFolder()
  const runs: Array<Map<string, AskedInRun>> = []
  for (const time of ['first', 'second']) {
    terminal.warn(terminal.colors.dim(`Running the tests for the ${time} time, in replay …`))
    const file = folder.file(time)
    const more = { [DOCTOR]: folder.file('doctor'), [DOCTOR_ASKED]: file }
    const { output } = await runVitest(terminal, args, more)
    const asked = readByTest<AskedInRun>(file)
    if (asked.size === 0) {
      terminal.warn(output)
      return nothingAsked(terminal, args)
    }
    runs.push(asked)
  }
  const found = compareRuns(runs[0]!, runs[1]!)
  if (asJson) terminal.write(`${printableJson(found)}\n`)
  else reportTwice(found, [...runs[1]!.values()], terminal, args)
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

function reportTwice(
  found: readonly Compared[],
  asked: readonly AskedInRun[],
  terminal: Terminal,
  args: readonly string[],
): void {
  const { colors, write } = terminal
  for (const { test, differences } of found) {
    write(`${colors.bold(layOutLine(test))}\n`)
    for (const { place, one, other, rule = 'no rule can declare it' } of differences) {
      const values = [one, other].map((text) => quoteStart(layOutLine(text))).join(' → ')
      write(`  ${layOutLine(place)}  ${values}  ${colors.cyan(layOutLine(rule))}\n`)
    }
  }
  const differences = found.flatMap((one) => one.differences)
  const rules = found.flatMap((one) => [
    ...one.declared,
    ...one.differences.flatMap(({ rule }) => rule ?? []),
  ])
  if (found.length === 0) write('Both runs asked the same: no value varies that is not declared.\n')
  else
    write(
      `\n${countOf(differences.length, 'value')} of ${countOf(found.length, 'test')} ` +
        `${differences.length === 1 ? 'differs' : 'differ'} between the two runs.\n`,
    )
  if (differences.some(({ rule }) => rule !== undefined)) write(adviseRules(rules, terminal, args))
  if (asked.some(({ hasMiss }) => hasMiss))
    write(
      'Tests stop at a request that is not recorded. Add the line, then run this again: later requests can hold more of them.\n',
    )
}

/** The lines that the tests of a run have left in a file, by test. */
function readByTest<Line extends { test: string }>(file: string): Map<string, Line> {
  // A test that is retried writes a line for each attempt; the last one counts.
  return new Map(readJsonLines<Line>(file).map((one) => [one.test, one]))
}

/**
 * Says that there is nothing to compare, and why that may be.
 *
 * @param args the options of Vitest
 */
function nothingAsked({ cwd, warn }: Terminal, args: readonly string[]): ExitCode {
  warn(
    'No test asked a model, so nothing was compared.\n' +
      `If your tests do, add the plugin cassettes() to ${nameConfig(cwd, args)}.`,
  )
  return 1
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
