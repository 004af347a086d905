import { expect, test } from 'vitest'
import type { Failure } from '../../src/explain/failure.ts'
import { renderFailure } from '../../src/explain/render-failure.ts'

const failure: Failure = {
  kind: 'changed',
  code: 'miss',
  headline: 'It changed',
  details: ['  test  a', '', '\u001b[31m- one\u001b[39m'],
  advice: '\u001b[1mrecord\u001b[22m',
  notes: ['', 'a note'],
}

test.each([
  ['in colours', true, '\u001b[31m- one\u001b[39m', '\u001b[1mrecord\u001b[22m'],
  ['without', false, '- one', 'record'],
])(
  'sections have an empty line between them, and the place of the advice is known: %s',
  (...row) => {
    const [, color, diff, advice] = row
    const { details, adviceAt, headline, code } = renderFailure(failure, color)
    expect({ headline, code }).toEqual({ headline: 'It changed', code: 'miss' })
    expect(details).toBe(`  test  a\n\n${diff}\n\n${advice}\n\na note`)
    expect(details.slice(adviceAt)).toBe(`${advice}\n\na note`)
  },
)

test('a failure without advice of its own is whole before it', () => {
  const { details, adviceAt } = renderFailure({ ...failure, advice: '' }, false)
  expect(details.slice(0, adviceAt)).toBe(details)
  expect(renderFailure({ ...failure, details: [] }, false).adviceAt).toBe(0)
})
