import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryContent } from '../../src/conversation/context.ts'
import {
  type ContextEntry,
  readContext,
  writeContext,
} from '../../src/conversation/context-file.ts'
import { readConversations } from '../../src/conversation/conversation.ts'
import { cassetteOfContext } from '../../src/recording/context-cassette.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { anyContext } from './any-context.ts'
import { recordAgent } from './example-agent.ts'
import { chatWire } from './example-wires.ts'
import { throughFile } from '../cassette/through-file.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

test('a context comes back from its cassette', () => {
  fc.assert(
    fc.property(anyContext, (entries) => {
      fc.pre(entries.some(({ role }) => role !== 'assistant'))
      const read = readContext(JSON.stringify(entries), 'a.json')
      expect(read).toEqual(entries)
      const conversations = readConversations(throughFile(cassetteOfContext(read, 'a')).loaded)
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
  ['reasoning', 2, { content: { text: 'Hello', reasoning: '' } }],
  ['reasoning', 1, { content: { userid: 'u', text: 'Hi', reasoning: 'x' } }],
])("rule '%s' is named with entry %i when it holds %j", ([rule, entry, change]) => {
  const entries = good.map((one, index) => (index === entry ? { ...one, ...change } : one))
  const read = (): unknown => readContext(JSON.stringify(entries), 'talk.json')
  expect(read).toThrow(coded('invalid-context'))
  expect(read).toThrow(`entry ${entry}, rule '${rule}'`)
  expect(read).toThrow('talk.json')
})

test('a wrong role is named alone, since turns follow from roles', async () => {
  const entries = good.map((one, index) => (index === 1 ? { ...one, role: 'tool' } : one))
  const read = (): unknown => readContext(JSON.stringify(entries), 'talk.json')
  expect(read).toThrow(/^talk\.json .*\n {2}entry 1, rule 'role'.*\n.*$/)
  await expectGolden(await failureOf(read), 'wrong-role')
})

test('every spelling of a zone is read, and comes out again as it was', () => {
  const entries = good.map((one, at) => ({ ...one, timestamp: `20260101T02000${at},5+02` }))
  const read = readContext(JSON.stringify(entries), 'talk.json')
  const { loaded } = throughFile(cassetteOfContext(read, 'a'))
  expect(loaded.timestamp).toBe('2026-01-01T00:00:02.500Z')
  const [conversation] = readConversations(loaded)
  expect(conversation!.entries[0]!.time).toBe('2026-01-01T00:00:00.500Z')
  expect(writeContext(conversation!, new Map())).toEqual(entries)
})

test.for(['', '{', '{"index":0}', '7'])('a file that holds %j is no context file', (text) => {
  const read = (): unknown => readContext(text, 'talk.json')
  expect(read).toThrow(coded('invalid-context'))
  expect(read).toThrow(/^talk\.json /)
  // It breaks no single rule.
  expect(read).not.toThrow(/rule '/)
})

test('the parameters of a call may stand beside its name, and its reason is called so too', () => {
  const content = { toolCall: 'look_up', order: 7, text: 'a', reason: 'It was asked for.' }
  const read = readContext(JSON.stringify([good[0], good[1], { ...good[2], content }]), 'talk.json')
  expect(read[2]!.content).toEqual(content)
  expect(entryContent(read[2]!)).toEqual({
    text: '',
    call: { name: 'look_up', parameters: { order: 7, text: 'a' } },
    reasoning: 'It was asked for.',
  })
})

test('fields that are not known are kept', () => {
  const known = good.map((entry) => ({ ...entry, channel: 'C1' }))
  const entries = [...known.slice(0, 2), { ...known[2], content: { text: 'Hello', mood: 'good' } }]
  const read = readContext(JSON.stringify(entries), 'talk.json')
  const [conversation] = readConversations(throughFile(cassetteOfContext(read, 'a')).loaded)
  expect(JSON.stringify(writeContext(conversation!, new Map()))).toBe(JSON.stringify(entries))
})

test.for([
  ['a user', [0, 1, 1, 2, 3, 3]],
  ['the answer to one', [0, 0, 1, 1, 1, 2]],
  ['whoever speaks after the other', [0, 0, 1, 2, 2, 3]],
] as const)('turns that begin with %s are told as the file counts them', ([, turns]) => {
  const roles = ['system', 'user', 'assistant', 'user', 'user', 'assistant'] as const
  const timestamp = '2026-01-01T00:00:00Z'
  const entries = roles.map((role, index) => {
    return { index, turn: turns[index], timestamp, role, content: `says ${index}` }
  })
  const read = readContext(JSON.stringify(entries), 'talk.json')
  const [conversation] = readConversations(throughFile(cassetteOfContext(read, 'a')).loaded)
  expect(writeContext(conversation!, new Map())).toEqual(entries)
  expect(conversation!.entries.map(({ turn }) => turn)).toEqual(turns)
})

test.for([
  '2023-02-30T12:00:00Z',
  '2023-13-01T12:00:00Z',
  '2023-02-29T12:00:00+02:00',
  '2023-04-04',
])('there is no %s', (timestamp) => {
  const entries = [{ index: 0, turn: 0, timestamp, role: 'system', content: 'Be kind.' }]
  expect(() => readContext(JSON.stringify(entries), 'a')).toThrow("entry 0, rule 'timestamp'")
})

test('a context without an answer cannot become a cassette', async () => {
  const make = (): unknown => cassetteOfContext(good.slice(0, 2), 'a')
  expect(make).toThrow(coded('invalid-context'))
  await expectGolden(await failureOf(make), 'no-answer')
})

test('what nobody has answered yet stays at its end', () => {
  const more = {
    index: 3,
    turn: 2,
    timestamp: '2026-01-01T00:00:03Z',
    role: 'user',
    content: 'And?',
  }
  const entries = [...good, more] as ContextEntry[]
  const [conversation] = readConversations(throughFile(cassetteOfContext(entries, 'a')).loaded)
  expect(writeContext(conversation!, new Map())).toEqual(entries)
})

test.for<[given: JsonObject, written: object]>([
  [{ order: 7 }, { toolCall: 'work', order: 7, result: 'Bern' }],
  [{ text: 'Hi' }, { toolCall: 'work', text: 'Hi', result: 'Bern' }],
  [{ reason: 'x' }, { toolCall: 'work', parameters: { reason: 'x' }, result: 'Bern' }],
])(
  'a recorded call with %j has its parameters beside its name, where these stay apart',
  ([given, written]) => {
    const turn = { question: 'Where?', arguments: given, result: 'Bern', answer: 'There.' }
    const [conversation] = readConversations(recordAgent(chatWire, [turn]))
    const context = writeContext(conversation!, new Map())
    expect(context.find(({ role }) => role === 'assistant')!.content).toEqual(written)
    const read = readContext(JSON.stringify(context), 'a')
    expect(read.map((entry) => entryContent(entry).call ?? [])).toContainEqual({
      name: 'work',
      parameters: given,
    })
  },
)

test('an answer that somebody edited is written as it is now', () => {
  const cassette = cassetteOfContext(good, 'a')
  cassette.exchanges[0]!.response.text = 'Good day'
  const [conversation] = readConversations(cassette)
  expect(writeContext(conversation!, new Map())[2]!.content).toEqual({
    text: 'Good day',
    reasoning: 'A greeting.',
  })
})
