import { expect, test } from 'vitest'
import type { Cassette, WrittenExchange, WrittenResponse } from '../../../src/cassette/cassette.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { writtenAnswer } from '../../../src/features/hand-written.ts'
import {
  canBeMutated,
  mutantsOf,
  rewritten,
  sample,
  withMutant,
} from '../../../src/tools/mutate/mutants.ts'
import { dialectFor } from '../../../src/engine/read-prompt.ts'
import { expectGolden } from '../../golden.ts'
import { recordTurns } from '../../recording/smallest-diff/record-turns.ts'
import { renewingWires } from '../../recording/smallest-diff/renewing-wires.ts'

const written = (response: WrittenResponse): Cassette => ({
  conversationId: 'mutants',
  timestamp: '2026-01-01T00:00:00.000Z',
  exchanges: [{ id: 'exchange-1', prompt: { text: 'Well?', metadata: {} }, response }],
})

/** As it comes back from its file. */
const stored = (cassette: Cassette): Cassette =>
  decodeCassette(encodeCassette(cassette, '').stored, () => Buffer.of())

const whats = (response: WrittenResponse): string[] =>
  mutantsOf(written(response)).map(({ what }) => what)

test('a call goes wrong in its being, its number, its name and each of its arguments', async () => {
  const parameters = { city: 'Bern', days: 3, exact: true, tags: ['a', 'b'], at: {}, none: null }
  const response = { text: '', tool_calls: [{ tool_name: 'look', parameters }] }
  const named = (name: string): string[] => whats(response).filter((it) => it.includes(`"${name}"`))
  for (const name of ['city', 'days', 'exact', 'tags']) expect(named(name)).toHaveLength(3)
  for (const name of ['at', 'none']) expect(named(name)).toHaveLength(2)
  await expectGolden(whats(response).join('\n'), 'call')
})

test('of several calls, each is named by its place', () => {
  const call = { tool_name: 'look', parameters: {} }
  expect(whats({ text: '', tool_calls: [call, call] })).toContainEqual(
    expect.stringMatching(/\b2, look, /),
  )
})

test('a text is cut and foreign, JSON is broken and lacks its fields, also in a fence', async () => {
  const [text, json] = [whats({ text: 'Good morning' }), whats({ text: '{"a":1}' })]
  expect(text).toHaveLength(4)
  expect(json.filter((it) => it.includes('"a"'))).toHaveLength(2)
  await expectGolden([...text, '', ...json].join('\n'), 'text')
  const fenced = mutantsOf(written({ text: '```json\n{\n  "a": 1,\n  "b": 2\n}\n```' }))
  const [without] = fenced.filter(({ what }) => what === 'its JSON has no "a"')
  expect(without!.response.text).toBe('```json\n{\n  "b": 2\n}\n```')
})

test('failures, broken answers and figures are left as they are', () => {
  expect(whats({ text: '', error: 'No.' })).toEqual([])
  expect(whats({ text: 'Half', incomplete: true })).toEqual([])
  expect(whats({ text: '' })).toEqual([])
})

test.for(renewingWires)(
  '$name: each mutant is another answer that its format can say',
  async (wire) => {
    const cassette = await recordTurns(wire)
    const said = ({ exchanges }: Cassette): string[] =>
      exchanges.map((exchange) => {
        const incoming = readIncoming(exchange.wire!.request)
        const answer =
          exchange.wire!.response ?? writtenAnswer(exchange as WrittenExchange, incoming)
        return JSON.stringify(dialectFor(incoming).readCompletion(answer))
      })
    const plain = rewritten(cassette, () => true)
    const mutants = mutantsOf(cassette)
    expect(cassette.exchanges.every(canBeMutated)).toBe(true)
    expect(new Set(mutants.map(({ exchange, what }) => `${exchange} ${what}`)).size).toBe(
      mutants.length,
    )
    const before = said(stored(plain))
    for (const mutant of mutants) {
      const after = said(stored(withMutant(plain, mutant)))
      const differing = after.flatMap((one, index) => (one === before[index] ? [] : [index]))
      expect(differing, mutant.what).toEqual([
        cassette.exchanges.findIndex(({ id }) => id === mutant.exchange),
      ])
    }
  },
)

test('a draw is the same for its seed, whatever else there is, and keeps the order', () => {
  const mutants = Array.from({ length: 50 }, (_, index) => ({
    exchange: 'exchange-1',
    what: `mutant ${index}`,
    response: { text: '' },
  }))
  const drawn = sample(mutants, 10, 'one')
  expect(drawn).toHaveLength(10)
  expect(sample(mutants, 10, 'one')).toEqual(drawn)
  expect(sample(mutants, 10, 'two')).not.toEqual(drawn)
  expect(drawn).toEqual(mutants.filter((mutant) => drawn.includes(mutant)))
  expect(sample(mutants, 50, 'one')).toEqual(mutants)
})
