import { coverageOf, uncoveredBy } from './coverage.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import type { Source } from '../sources/source.ts'
import type { Terminal } from '../terminal/command.ts'
import { printableJson } from '../terminal/write-json.ts'
import type { OptionValues } from '../terminal/options.ts'

/** Writes the cases that the recorded answers cover, and those that none covers. */
export function writeCoverage(
  sources: readonly Source[],
  values: OptionValues,
  { write, colors }: Terminal,
): void {
  const steps = sources.flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
  const coverage = coverageOf(steps)
  const unseen = uncoveredBy(coverage)
  const { tools, finishReasons, failures, answers, streamed, incomplete } = coverage
  if (values.json === true) {
    const data = {
      tools: Object.fromEntries(tools),
      finish_reasons: Object.fromEntries(finishReasons),
      failures: Object.fromEntries(failures),
      answers,
      streamed,
      incomplete,
      unseen,
    }
    return write(`${printableJson(data)}\n`)
  }
  const list = (counts: ReadonlyMap<string | number, number>): string =>
    [...counts].map(([name, count]) => `${layOutLine(String(name))} ${count}`).join(', ') || 'none'
  write(
    `${colors.bold('Answers')}   ${answers}, ${streamed} streamed, ${incomplete} cut\n` +
      `${colors.bold('Tools')}     ${list(tools)}\n` +
      `${colors.bold('Ended by')}  ${list(finishReasons)}\n` +
      `${colors.bold('Failures')}  ${list(failures)}\n\n` +
      (unseen.length === 0
        ? 'Every tool, every kind of end and of failure, and streams are in some recording.\n'
        : `No test has seen ${countOf(unseen.length, 'thing')} that can happen:\n` +
          unseen.map((what) => `  ${layOutLine(what)}\n`).join('')),
  )
}
