import { escapeMarkdown } from '../../text/markdown-text.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { percentOf, scoreOf, type JudgedTest, type Score } from './score.ts'

/** A table of the files of tests: title, then rows. */
export function scoreRows(tests: readonly JudgedTest[]): string[][] {
  const rowOf = (name: string, score: Score): string[] => [
    name,
    score.mutants === 0 ? '–' : `${percentOf(score)} %`,
    ...[score.assertion, score.requests, score.survived].map(String),
  ]
  const byFile = Map.groupBy(tests, ({ file }) => file)
  const rows = [...byFile].map(([file, ours]) => rowOf(layOutLine(file), scoreOf(ours)))
  return [...rows, rowOf('all', scoreOf(tests))]
}

/** The titles of its columns. */
export const SCORE_COLUMNS = ['', 'score', 'by the test', 'by a request', 'not noticed']

/** The mutants that survived, in Markdown for the summary of a job or a pull request. */
export function judgementMarkdown(tests: readonly JudgedTest[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |\n`
  const survived = tests.flatMap((test) =>
    test.mutants
      .filter(({ fate }) => fate === 'survived')
      .map(({ exchange, what }) => row([testPlace(test), test.title, `${exchange}: ${what}`])),
  )
  return (
    `### vitest-cassette mutate\n\n${describeScore(scoreOf(tests))}\n\n` +
    `${row(SCORE_COLUMNS)}|---|--:|--:|--:|--:|\n${scoreRows(tests).map(row).join('')}` +
    (survived.length > 0
      ? `\n| line | test | not noticed |\n|---|---|---|\n${survived.join('')}`
      : '')
  )
}

/** The file and line of a test. */
export function testPlace({ file, line }: JudgedTest): string {
  return line === undefined ? file : `${file}:${line}`
}

/** The score in words. */
export function describeScore(score: Score): string {
  const { mutants, assertion, requests, survived } = score
  if (mutants === 0) return 'No answer was changed.'
  return (
    `${countOf(mutants, 'changed answer')}: ${mutants - survived} noticed (${percentOf(score)} %), ` +
    `${assertion} by the test itself, ${requests} by the next request of the application; ${survived} not noticed.`
  )
}
