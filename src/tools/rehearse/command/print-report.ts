import { explainUnknown } from '../../../conversation/cost.ts'
import { layOutLine } from '../../../text/printable.ts'
import type { Judged } from '../judge-asking.ts'
import type { Report } from '../make-report.ts'
import { answerText, FIGURES, tallyFigures, verdictText } from '../report-words.ts'
import type { Terminal } from '../../terminal/command.ts'
import { columnsOf, writeTable } from '../../terminal/table.ts'

const COLUMNS = columnsOf(['test', ...FIGURES])

/** A report for a terminal. */
export function printReport(report: Report, width: number, { colors }: Terminal): string {
  const { tests, total, others, leftOut, conclusion, hasDrifted, spent } = report
  const [head, ...rows] = writeTable(
    COLUMNS,
    [...tests, total].map((row) => [layOutLine(row.name), ...tallyFigures(row)]),
    width,
  )
  const paint = hasDrifted ? colors.red : (text: string): string => text
  return [
    ...others.flatMap((one) => [...printOther(one, colors), '']),
    ...leftOut.map(({ test, exchange, why }) =>
      colors.dim(`Left out: ${layOutLine(test)}, ${exchange}: ${layOutLine(why)}.`),
    ),
    ...(leftOut.length > 0 ? [''] : []),
    colors.bold(head!),
    ...rows.slice(0, -1),
    colors.bold(rows.at(-1)!),
    '',
    ...conclusion.map((line, index) => (index === 0 ? paint(layOutLine(line)) : layOutLine(line))),
    ...explainUnknown(spent).map((line) => colors.dim(line)),
    '',
  ].join('\n')
}

function printOther(one: Judged, colors: Terminal['colors']): string[] {
  const { test, exchange, before, now, differences, why, cassette } = one
  return [
    `${colors.bold(layOutLine(`${test}, ${exchange}`))}: ${colors.red(verdictText(one))}`,
    colors.dim(`  ${layOutLine(cassette)}`),
    ...(why === undefined ? [] : [`  ${layOutLine(why)}`]),
    ...differences.map(({ kind, says }) => `  ${kind.padEnd(9)} ${layOutLine(says)}`),
    ...(now
      ? [
          `  recorded  ${layOutLine(answerText(before))}`,
          `  now       ${layOutLine(answerText(now))}`,
        ]
      : []),
  ]
}
