import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/format/decode-cassette.ts'
import { encodeCassette } from '../../src/cassette/format/encode-cassette.ts'
import { parseCassette } from '../../src/cassette/format/parse.ts'
import { printCassette } from '../../src/cassette/format/print.ts'
import type { Cassette } from '../../src/cassette/format/cassette.ts'
import type { ContextEntry } from '../../src/conversation/context/context-entry.ts'
import { readConversations } from '../../src/conversation/conversation.ts'
import { readContext } from '../../src/conversation/context/read-context.ts'
import { writeContext } from '../../src/conversation/context/write-context.ts'
import { cassetteOfContext } from '../../src/engine/turns/context-cassette.ts'
import { anyContext } from './any-context.ts'

function throughFile(cassette: Cassette): Cassette {
  const { stored, blobs } = encodeCassette(cassette, 'schema')
  return decodeCassette(parseCassette(printCassette(stored)), (name) => blobs.get(name)!)
}

test('a context comes back from the cassette that is made of it', () => {
  fc.assert(
    fc.property(anyContext, (entries) => {
      fc.pre(entries.some(({ role }) => role !== 'assistant'))
      const read = readContext(JSON.stringify(entries), 'a.json')
      expect(read).toEqual(entries)
      const conversations = readConversations(throughFile(cassetteOfContext(read, 'a')))
      expect(conversations).toHaveLength(1)
      expect(writeContext(conversations[0]!, new Map())).toEqual(entries)
    }),
    { numRuns: 500 },
  )
})

const good: ContextEntry[] = [
  { index: 0, turn: 0, timestamp: '2026-01-01T00:00:00Z', role: 'system', content: 'Be kind.' },
  { index: 1, turn: 1, timestamp: '2026-01-01T00:00:01Z', role: 'user', content: 'Hi' },
  {
    index: 2,
    turn: 1,
    timestamp: '2026-01-01T00:00:02Z',
    role: 'assistant',
    content: { text: 'Hello', reasoning: 'A greeting.' },
  },
]

test.for<[rule: string, entry: number, change: object]>([
  ['fields', 1, { content: undefined }],
  ['index', 2, { index: 3 }],
  ['turn', 0, { turn: 1 }],
  ['turn', 2, { turn: 2 }],
  ['role', 1, { role: 'tool' }],
  ['timestamp', 1, { timestamp: 'yesterday' }],
  ['timestamp', 1, { timestamp: '2026-01-01' }],
  ['timestamp', 2, { timestamp: '2025-12-31T23:59:59Z' }],
  ['content', 1, { content: 7 }],
  ['content', 1, { content: { text: 'Hi' } }],
  ['content', 2, { content: { parameters: {} } }],
  ['content', 2, { content: { text: 'Hello', mood: 'good' } }],
  ['reasoning', 2, { content: { text: 'Hello', reasoning: '' } }],
  ['reasoning', 1, { content: { userid: 'u', text: 'Hi', reasoning: 'x' } }],
])("rule '%s' is named with entry %i when it holds %j", ([rule, entry, change]) => {
  const entries = good.map((one, index) => (index === entry ? { ...one, ...change } : one))
  const read = (): unknown => readContext(JSON.stringify(entries), 'talk.json')
  expect(read).toThrow(`entry ${entry}, rule '${rule}'`)
  expect(read).toThrow('talk.json')
})

test.for(['', '{', '{"index":0}', '7'])('a file that holds %j is no context file', (text) => {
  expect(() => readContext(text, 'talk.json')).toThrow('talk.json is no context file')
})

test('the parameters of a call may stand beside its name', () => {
  const content = { toolCall: 'look_up', order: 7, reasoning: 'It was asked for.' }
  const [, , entry] = readContext(
    JSON.stringify([good[0], good[1], { ...good[2], content }]),
    'talk.json',
  )
  expect(entry!.content).toEqual({
    toolCall: 'look_up',
    parameters: { order: 7 },
    reasoning: 'It was asked for.',
  })
})

test('a context that ends with a question cannot become a cassette', () => {
  expect(() => cassetteOfContext(good.slice(0, 2), 'a')).toThrow('Nothing answers entry 0')
})
