import { test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { type Incoming, readIncoming } from '../../src/engine/incoming.ts'
import { explainMiss } from './as-reported.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { expectGolden } from '../golden.ts'

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

/** Every kind of miss, in the order of `failures/misses.ts`. */
const KINDS: Array<
  [title: string, Cassette | undefined, asked: Incoming[], options?: CassetteOptions]
> = [
  ['a prompt that is asked out of turn', both, [two!], { unordered: false }],
  ['a prompt that is repeated beyond its recording', both, [one!, one!]],
  ['a test that has no cassette', undefined, [one!]],
  ['a cassette without exchanges', { ...both, exchanges: [] }, [one!]],
  ['a prompt after all exchanges were played', both, [one!, two!, three!]],
  [
    'an exchange that was imported without its prompt, at the same address',
    imported(one!.wire.url),
    [one!],
  ],
  [
    'an exchange that was imported without its prompt, at another address',
    imported('https://api.anthropic.com/v1/messages'),
    [one!],
  ],
  ['a prompt in which only a UUID differs', recorded([of(0), '1']), [of(1)]],
  [
    'a prompt in which declared values are equal no more',
    recorded([of(0, 0), '1']),
    [of(1, 2)],
    { volatile: ['uuid'] },
  ],
  ['a prompt that changed', recorded([one!, '1']), [three!]],
  [
    'a call to an MCP server that changed',
    recorded([call('mcp://orders', 'find'), '1']),
    [call('mcp://orders', 'list')],
  ],
]

test('each kind of miss has its headline', async () => {
  const all = KINDS.map(([title, cassette, asked, options]) => {
    const session = openExample(cassette, options)
    for (const [order, incoming] of asked.entries()) {
      const read = options?.volatile
        ? readIncoming(incoming.sent, { volatile: options.volatile })
        : incoming
      session.answer(read, { order })
    }
    return `${title}\n${explainMiss(session, session.misses[0]!, false).headline}`
  })
  await expectGolden(all.join('\n\n'), 'kinds')
})
