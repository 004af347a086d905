import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { type Incoming, readIncoming } from '../../src/engine/incoming.ts'
import { explainMiss } from '../../src/explain/explain-miss.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

const [one, two, three] = ['One?', 'Two?', 'Three?'].map((text) => question(text)) as Incoming[]
const both = recorded([one!, '1'], [two!, '2'])

const call = (url: string, tool: string): Incoming =>
  readIncoming({ ...one!.wire, url, body: { kind: 'json', value: { tool }, layout: {} } })

/** A cassette of one exchange that was imported without its prompt. */
function imported(url: string): Cassette {
  const mark: WireRequest['imported'] = { from: 'har', unknown: ['body'] }
  const wire = { ...one!.wire, url, body: { kind: 'empty' as const }, imported: mark }
  return recorded([readIncoming(wire), '1'])
}

const ID = ['a', 'b', 'c'].map((letter) => `0b0e1d8c-5d6f-4d0e-9a86-0d1c2b3a4f5${letter}`)
const of = (...ids: number[]): Incoming =>
  question(ids.map((id) => `Order ${ID[id]}.`).join(' '), {})

/** Every kind of miss, in the order in which `headlineOf` tells them apart. */
test.for<[headline: string, Cassette | undefined, asked: Incoming[], CassetteOptions?]>([
  [
    'The prompt was asked out of turn: exchange-1 comes before it',
    both,
    [two!],
    { unordered: false },
  ],
  ['The prompt was asked more often than recorded: 1 of 1 already played', both, [one!, one!]],
  ['Nothing is recorded for this test', undefined, [one!]],
  ['The cassette of this test holds no exchange', { ...both, exchanges: [] }, [one!]],
  [
    'The prompt is one more than recorded: 2 of 2 exchanges already played',
    both,
    [one!, two!, three!],
  ],
  [
    'Nobody knows the prompt of exchange-1: it was imported from har, which kept none',
    imported(one!.wire.url),
    [one!],
  ],
  [
    'The prompt fits none of the exchanges that were imported without a prompt',
    imported('https://api.anthropic.com/v1/messages'),
    [one!],
  ],
  [
    'The prompt changed only in values that vary between runs (uuid): message 1 (user): text edited ("a." → "b.")',
    recorded([of(0), '1']),
    [of(1)],
  ],
  [
    'The prompt changed only in which of its volatile values are equal',
    recorded([of(0, 0), '1']),
    [of(1, 2)],
    { volatile: ['uuid'] },
  ],
  [
    'The prompt changed: message 1 (user): text edited ("One?" → "Three?")',
    recorded([one!, '1']),
    [three!],
  ],
  [
    'The call of an MCP server changed: tool: find → list',
    recorded([call('mcp://orders', 'find'), '1']),
    [call('mcp://orders', 'list')],
  ],
])('%s', ([headline, cassette, asked, options]) => {
  const session = openExample(cassette, options)
  for (const [order, incoming] of asked.entries()) {
    const read = options?.volatile
      ? readIncoming(incoming.sent, { volatile: options.volatile })
      : incoming
    session.answer(read, { order })
  }
  expect(explainMiss(session, session.misses[0]!, false).headline).toBe(headline)
})
