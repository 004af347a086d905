import type { Colors } from 'picocolors/types.js'
import { printable } from '../../diff/render/printable.ts'
import type { CassetteMeta } from '../../host/count-asked.ts'
import { summaryRows } from './summary-rows.ts'

/** The lines of a run on cassettes that are no longer valid, each once. */
export function renderInvalid(tests: readonly CassetteMeta[], paint: Colors): string[] {
  const invalid = new Map(
    tests.filter(({ invalid }) => invalid.length > 0).map((test) => [test.cassette, test.invalid]),
  )
  if (invalid.size === 0) return []
  const isRetired = [...invalid.values()].flat().some((reason) => reason.startsWith('models: '))
  const count = invalid.size === 1 ? '1 cassette is' : `${invalid.size} cassettes are`
  const lines = [
    paint.yellow(`${count} no longer valid`),
    ...Array.from(invalid, ([cassette, reasons]) => [
      printable(cassette),
      ...reasons.map((reason) => `  ${paint.dim(printable(reason).replaceAll('\n', ' '))}`),
    ]).flat(),
    `To record invalid cassettes again: ${paint.bold('npx vitest-cassette record --new')}`,
    ...(isRetired ? ['First ask other models in your code than those that are retired.'] : []),
  ]
  return summaryRows('Invalid', lines, paint)
}
