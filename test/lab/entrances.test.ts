import { expect, test } from 'vitest'
import { type LabTest, made, scenarioNames } from './lab.ts'

const PAIRS = [
  ['replay', 'replay by sockets'],
  ['changed', 'changed by sockets'],
] as const

for (const [byFetch, bySockets] of PAIRS)
  test.for(scenarioNames([byFetch, bySockets]))(
    `the run "${bySockets}" ends as "${byFetch}" does: %s`,
    (name) => {
      const [one, other] = [made(name, byFetch), made(name, bySockets)]
      const outcomes = (run: typeof one): string[] =>
        run.tests.map(({ title, state, errors, cassette }) => {
          const { replayed, recorded, misses, unused } = cassette
          const counts = JSON.stringify({ replayed, recorded, misses, unused })
          return [
            title,
            state,
            counts,
            ...errors.map(({ text }) => (hasNone(cassette) ? withoutCommand(text) : text)),
          ].join('\n')
        })
      expect(outcomes(other)).toEqual(outcomes(one))
      expect(other.results).toEqual(one.results)
      for (const result of one.results) expect(other.result(result)).toEqual(one.result(result))
      expect(other.after).toEqual(one.after)
    },
  )

test.for(scenarioNames(['record', 'record by sockets']))(
  'what is recorded by sockets says the same as what is recorded by fetch: %s',
  (name) => {
    const [one, other] = [made(name, 'record'), made(name, 'record by sockets')]
    expect(other.titles('passed')).toEqual(one.titles('passed'))
    expect(other.cassettes).toEqual(one.cassettes)
    // Requests that are in flight together stand in the order of their ends, which can be another one.
    for (const cassette of one.cassettes)
      expect(saidIn(other.json(cassette)).toSorted()).toEqual(saidIn(one.json(cassette)).toSorted())
  },
)

test('what goes by sockets is a request that undici makes', () => {
  expect(made('edits', 'changed by sockets').has('../requests')).toBe(true)
  expect(made('edits', 'changed').has('../requests')).toBe(false)
})

/** Whether a request of a test missed with nothing recorded to compare it with. */
function hasNone({ missed = [] }: LabTest['cassette']): boolean {
  return missed.some(({ exchange }) => exchange === undefined)
}

/** A failure without its paragraph with a command: what is missing depends on the other scenarios of the run. */
function withoutCommand(text: string): string {
  const paragraphs = text.split('\n\n')
  return paragraphs.filter((paragraph) => !/^ +npx /m.test(paragraph)).join('\n\n')
}

/** What was asked and answered, whatever numbers the upstream gave. */
function saidIn({ exchanges }: any): unknown[] {
  return exchanges.map(({ prompt, request, response: { sent, ...response } }: any) =>
    JSON.stringify([prompt.text, request, response, sent.status])
      .replaceAll(/"duration_ms":\d+/g, '')
      .replaceAll(/\d+/g, '#'),
  )
}
