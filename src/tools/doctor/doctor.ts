import { readLines } from '../../attempt/run-channel.ts'
import { startedBy } from '../../config/environment.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine, quoteStart } from '../../text/printable.ts'
import type { Diagnosis } from '../../explain/diagnose.ts'
import { recordedTime } from '../../explain/recorded-time.ts'
import type { Command, Terminal } from '../terminal/command.ts'
import { compareTwoRuns } from './doctor-twice.ts'
import { adviseRules, askedIn, nothingAsked } from './doctor-run.ts'
import { printableJson } from '../terminal/write-json.ts'
import { CONFIG, configWords, runVitest } from '../programs/run-vitest.ts'
import { TempFolder } from '../programs/temp-folder.ts'
import { explainUnseenTypes } from '../programs/unseen-types.ts'
import { flag } from '../terminal/options.ts'

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
    const { output, exitCode } = await runVitest(terminal, args, startedBy('doctor', folder.path))
    const lines = readLines(folder.path)
    const diagnoses = lines.filter((line) => line.kind === 'diagnosis')
    const byTest = new Map(diagnoses.map((line) => [line.found.test, line.found]))
    const found = [...byTest.values()].sort((one, other) => (one.test < other.test ? -1 : 1))
    if (values.json === true) terminal.write(`${printableJson(found)}\n`)
    else if (found.length > 0) report(found, terminal, args)
    else if (exitCode === 0 && askedIn(lines).size === 0) return nothingAsked(terminal, args)
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
