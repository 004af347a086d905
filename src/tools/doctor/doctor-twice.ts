import { startedBy } from '../../config/environment.ts'
import { readLines } from '../../attempt/run-channel.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine, quoteStart } from '../../text/printable.ts'
import {
  differencesBetween,
  type AskedInRun,
  type RunDifference,
} from '../../explain/between-runs.ts'
import type { ExitCode, Terminal } from '../terminal/command.ts'
import { printableJson } from '../terminal/write-json.ts'
import { adviseRules, askedIn, nothingAsked } from './doctor-run.ts'
import { runVitest } from '../programs/run-vitest.ts'
import { TempFolder } from '../programs/temp-folder.ts'

/** The differences between the requests of one test in two runs. */
interface Compared {
  test: string
  declared: string[]
  differences: RunDifference[]
  hasMiss: boolean
}

/** Runs the tests twice in replay, and lists whatever they ask differently, recorded or not. */
export async function compareTwoRuns(
  args: readonly string[],
  asJson: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  const runs: Array<Map<string, AskedInRun>> = []
  for (const time of ['first', 'second']) {
    terminal.warn(terminal.colors.dim(`Running the tests for the ${time} time, in replay …`))
    using folder = new TempFolder()
    const { output } = await runVitest(terminal, args, startedBy('doctor', folder.path))
    const asked = askedIn(readLines(folder.path))
    if (asked.size === 0) {
      terminal.warn(output)
      return nothingAsked(terminal, args)
    }
    runs.push(asked)
  }
  const found = compareRuns(runs[0]!, runs[1]!)
  if (asJson) terminal.write(`${printableJson(found)}\n`)
  else report(found, [...runs[1]!.values()], terminal, args)
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

function report(
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
