import { countOf } from '../../text/count-of.ts'
import { escapeMarkdown } from '../../text/markdown-text.ts'
import type { Report } from './make-report.ts'
import { answerText, FIGURES, tallyFigures, verdictText } from './report-words.ts'

/** The most answers that are shown, as GitHub limits a summary; `--json` has all of them. */
const MAX_SHOWN = 20

/** A report for a pull request, an issue, or the summary of a job. */
export function renderReportMarkdown(report: Report): string {
  const { conclusion, tests, total, others, leftOut } = report
  const rows = [...tests, total].map(
    (row) => `| ${[escapeMarkdown(row.name), ...tallyFigures(row)].join(' | ')} |`,
  )
  const shown = others.slice(0, MAX_SHOWN).flatMap((one) => {
    const changes = one.why === undefined ? one.differences.map(({ says }) => says) : [one.why]
    return [
      '',
      `#### ${escapeMarkdown(`${one.test}, ${one.exchange}: ${verdictText(one)}`)}`,
      '',
      ...changes.map((says) => `- ${escapeMarkdown(says)}`),
      ...(one.now
        ? [
            '',
            '| recorded | now |',
            '|---|---|',
            `| ${escapeMarkdown(answerText(one.before))} | ${escapeMarkdown(answerText(one.now))} |`,
          ]
        : []),
    ]
  })
  const more = others.length - MAX_SHOWN
  return [
    '### vitest-cassette rehearse',
    '',
    ...conclusion.map(escapeMarkdown),
    '',
    `| test | ${FIGURES.join(' | ')} |`,
    `|---|${'--:|'.repeat(FIGURES.length)}`,
    ...rows,
    ...shown,
    ...(more > 0 ? ['', `${countOf(more, 'further answer')} not shown.`] : []),
    ...(leftOut.length > 0
      ? [
          '',
          `Left out: ${countOf(leftOut.length, 'recorded prompt')}.`,
          '',
          ...leftOut.map(
            ({ test, exchange, why }) => `- ${escapeMarkdown(`${test}, ${exchange}: ${why}`)}`,
          ),
        ]
      : []),
    '',
  ].join('\n')
}
