import pc from 'picocolors'
import { expect, test } from 'vitest'
import { readConversations } from '../../src/conversation/conversation.ts'
import { findPictures } from '../../src/conversation/find-pictures.ts'
import { writeMarkdown, writeTranscript } from './as-shown.ts'
import type { TranscriptOptions } from '../../src/conversation/transcript.ts'
import { cassetteOfContext } from '../../src/recording/context-cassette.ts'
import type { ContextEntry } from '../../src/conversation/context-file.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { question, recorded } from '../engine/example-session.ts'
import { recordAgent } from './example-agent.ts'
import { chatWire } from './example-wires.ts'
import { expectGolden } from '../golden.ts'

const colors = pc.createColors(false)
const timestamp = '2026-01-01T00:00:00.000Z'

const entries: ContextEntry[] = [
  { index: 0, turn: 0, timestamp, role: 'system', content: 'Be kind.' },
  { index: 1, turn: 1, timestamp, role: 'user', content: { userid: 'ada', text: 'Where is it?' } },
  {
    index: 2,
    turn: 1,
    timestamp,
    role: 'assistant',
    content: {
      toolCall: 'look_up',
      parameters: { order: 7, fields: ['state', 'date'] },
      result: '{"state":"shipped"}',
      reasoning: 'It was asked for.',
    },
  },
  { index: 3, turn: 1, timestamp, role: 'assistant', content: 'It was shipped.' },
]

function transcriptOf(
  cassette: Parameters<typeof readConversations>[0],
  options: Partial<TranscriptOptions> = {},
): string {
  const pictures = findPictures(cassette.exchanges)
  return readConversations(cassette)
    .map((conversation) => writeTranscript(conversation, { colors, pictures, ...options }))
    .join('\n---\n')
}

test('parameters and tools are shown at first, and where they change', () => {
  const said = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }))
  const yes = { role: 'assistant', content: 'Yes.' }
  const asked = (count: number, more: JsonObject): [Incoming, string] => {
    const messages = said.slice(0, count).flatMap((one, at) => (at === 0 ? [one] : [yes, one]))
    return [question('', { messages, ...more }), 'Yes.']
  }
  const tools = ['look', 'leap'].map((name) => ({
    type: 'function',
    function: { name, description: `To ${name}.` },
  }))
  const some = { temperature: 0.2, stop: ['a', 'b'], tools }
  const cassette = recorded(asked(1, some), asked(2, some), asked(3, { temperature: 1 }))
  const text = transcriptOf(cassette, { emoji: false })
  expect(text.match(/^(?:with|offers): .*$/gm)).toEqual([
    'with: temperature: 0.2 · stop: a, b',
    'offers: look, leap',
    'with: temperature: 1',
    'offers: no tools any more',
  ])
  expect(transcriptOf(cassette, { full: true })).toContain('description: To leap.')
  expect(transcriptOf(recorded(asked(1, {})))).not.toMatch(/⚙|🧰/)
})

test('a transcript has the shape that people know', async () => {
  const text = transcriptOf(cassetteOfContext(entries, 'a'))
  expect(text.slice(0, text.lastIndexOf('\n\n'))).toBe(`🧠 System: Be kind.

👤 User <@ada> [Turn 1]
🕐 ${timestamp}
> Where is it?

🤖 Assistant [Turn 1]
🕐 ${timestamp}
🔧 look_up (order: 7, fields: ["state","date"])
✅ state: shipped
   └─ Reason: It was asked for.

🤖 Assistant [Turn 1]
🕐 ${timestamp}
💬 It was shipped.`)
  const last = text.slice(text.lastIndexOf('\n\n') + 2)
  expect(last.endsWith(': tools, pictures and files, model, parameters.')).toBe(true)
  await expectGolden(last, 'not-compared')
})

test('without emoji its marks are plain ASCII', () => {
  const text = transcriptOf(cassetteOfContext(entries, 'a'), { emoji: false })
  expect(text).toMatch(/^[\x20-\x7e\n]+$/)
  expect(text).toContain('User <@ada> [Turn 1]')
  expect(text).toContain('`- Reason: It was asked for.')
})

test('wide text is wrapped to the terminal, also where characters are wide', () => {
  const cassette = recorded([question('日本語 '.repeat(40)), 'word '.repeat(60)])
  const lines = transcriptOf(cassette, { width: 50 }).split('\n')
  expect(Math.max(...lines.map((line) => line.replace(/[^\x20-\x7e]/g, '__').length))).toBeLessThan(
    51,
  )
})

test('long text is folded, and written out on demand', () => {
  const cassette = recorded([
    question(Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')),
    'x',
  ])
  expect(transcriptOf(cassette)).toContain('… 28 more lines (--full)')
  expect(transcriptOf(cassette)).not.toContain('line 39')
  expect(transcriptOf(cassette, { full: true })).toContain('line 39')
})

test('pictures are named by their file', () => {
  const screenshot = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000', 'hex'),
    Buffer.alloc(2_000, 7),
  ]).toString('base64')
  const turn = { question: 'What is it?', arguments: {}, result: 'x', answer: 'A dog.', screenshot }
  expect(transcriptOf(recordAgent(chatWire, [turn]), { width: 200 })).toMatch(
    /\[image\/png, blobs\/[0-9a-f]{64}\.png\]/,
  )
})

test('nothing in it can command a terminal or a CI runner', () => {
  const evil = '\u001b[31mred\n::error::pwned\n##[group]x\r\u202e'
  const cassette = cassetteOfContext(
    [
      { index: 0, turn: 1, timestamp, role: 'user', content: { userid: evil, text: evil } },
      {
        index: 1,
        turn: 1,
        timestamp,
        role: 'assistant',
        content: {
          text: evil,
          reasoning: evil,
          toolCall: evil,
          parameters: { [evil]: evil },
          result: evil,
        },
      },
    ],
    'a',
  )
  const pictures = new Map()
  const [conversation] = readConversations(cassette)
  for (const text of [transcriptOf(cassette), writeMarkdown(conversation!, pictures)]) {
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(text).not.toMatch(/^\W*::error/m)
    expect(text).not.toContain('##[group]')
  }
})

test('an answer that is an error or stops early says so', async () => {
  const cassette = recorded([question('Hi'), 'x'], [question('Ho'), 'y'])
  const [failed, cut] = cassette.exchanges
  failed!.wire!.response! = { status: 429, headers: {}, body: { kind: 'text', text: 'Slow down' } }
  cut!.wire!.response!.cut = true
  const text = transcriptOf(cassette)
  expect(text).toContain('❌ Slow down')
  expect(text.trimEnd().split('\n').at(-2)).toContain('y')
  await expectGolden(text.trimEnd().split('\n').at(-1)!, 'cut')
})
