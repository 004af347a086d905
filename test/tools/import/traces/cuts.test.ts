import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../../properties.ts'
import { callOf, callsOf, chatOf, otlpOf, printed } from './spans.ts'

const LONG = 'All work and no play makes Jack a dull boy. '.repeat(40)

function cutIn(text: string) {
  return callOf({ attributes: chatOf(text, 'Hello') }).cut
}

test.for([
  ['All work [truncated]', 'All work'],
  ['All work...[truncated]', 'All work'],
  ['All work ...[truncated 1200 chars]', 'All work ...'],
  ['All work <truncated 1200 bytes>', 'All work'],
  ['All work… (1200 more characters)', 'All work'],
  ['All work ... (truncated)', 'All work'],
])('%j ends with the mark of a cut', ([text, kept]) => {
  expect(cutIn(text!)).toEqual([{ text, kept, why: 'mark' }])
})

test.for([
  '[REDACTED]',
  '__REDACTED__',
  'REDACTED',
  '<redacted>',
  '<REDACTED:EMAIL>',
  '[FILTERED]',
  '*****',
])('%j is the mark of a redacted text', (text) => {
  expect(cutIn(text)).toEqual([{ text, kept: '', why: 'redacted' }])
})

test('dots are the mark of a cut where a limit would have left them', () => {
  const text = LONG.slice(0, 1_000)
  expect(cutIn(`${text}…`)).toEqual([{ text: `${text}…`, kept: text, why: 'mark' }])
  expect(cutIn(`${text.slice(3)}...`)).toHaveLength(1)
  expect(cutIn('And so on...')).toEqual([])
  expect(cutIn(`${LONG.slice(0, 777)}…`)).toEqual([])
})

test('texts that are as long as the longest attribute were cut there', () => {
  const attributes = (text: string) => ({
    'openinference.span.kind': 'LLM',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': text.slice(0, 128),
    'llm.output_messages.0.message.content': 'Hello',
  })
  const [one, other] = callsOf(
    otlpOf([
      { id: 'a', attributes: attributes(LONG) },
      { id: 'b', attributes: attributes(LONG.slice(1)) },
    ]),
  )
  const text = LONG.slice(0, 128)
  expect(one!.cut).toEqual([{ text, kept: text, why: 'limit' }])
  expect(other!.cut).toHaveLength(1)
})

test('of JSON that was cut, what stands before the cut is read', () => {
  const messages = JSON.stringify([
    { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
    { role: 'user', parts: [{ type: 'text', content: LONG }] },
  ])
  const call = callOf({
    attributes: { ...chatOf('', 'Hello'), 'gen_ai.input.messages': messages.slice(0, 200) },
  })
  const [first, second] = printed(call)
  expect(first).toBe('user: Hi')
  const kept = second!.replace('user: ', '')
  expect(LONG).toContain(kept)
  expect(call.cut).toEqual([{ text: kept, kept, why: 'limit' }])
})

test('wherever JSON is cut, what is read of it stood there, and the last text is named', () => {
  const texts = ['Hi "there"', 'a\\b\n{[,:', 'été ✓', LONG.slice(0, 90)]
  const messages = JSON.stringify(
    texts.map((content) => ({ role: 'user', parts: [{ type: 'text', content }] })),
  )
  fc.assert(
    fc.property(fc.integer({ min: 60, max: messages.length - 1 }), (length) => {
      const input = messages.slice(0, length)
      const call = callOf({
        attributes: { ...chatOf('', 'Hello'), 'gen_ai.input.messages': input },
      })
      const read = printed(call)
        .filter((line) => line.startsWith('user: ') && line !== 'user: [other]')
        .map((line) => line.slice('user: '.length))
      expect(read.length).toBeGreaterThan(0)
      read.forEach((text, index) => expect(texts[index]!.startsWith(text)).toBe(true))
      const short = read.filter((text, index) => text !== texts[index])
      expect(call.cut.map(({ text }) => text)).toEqual(
        expect.arrayContaining(short.filter(Boolean)),
      )
    }),
  )
})
