import { describe, expect, test } from 'vitest'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { readRequestBody } from '../../src/wire/read-body.ts'
import { callData, callFormats } from './call-formats.ts'

function hashOf(text: string, contentType = ''): string {
  const url = 'https://llm.example.com/v1/ask'
  const body = readRequestBody(Buffer.from(text), contentType)
  return readIncoming({ method: 'POST', url, body }).hash
}

function hash(body: unknown): string {
  return hashOf(JSON.stringify(body))
}

describe.each(callFormats)('$name', ({ asked }) => {
  test('what its calls are named does not count', () => {
    expect(hash(asked('a', 'b', 'a', 'b'))).toBe(
      hash(asked('call_9', 'call_8', 'call_9', 'call_8')),
    )
    expect(hash(asked('a', 'b', 'a', 'b'))).toBe(hash(asked('b', 'a', 'b', 'a')))
  })

  test('which call a result belongs to counts, and whether two calls are one', () => {
    const bodies = [
      asked('a', 'b', 'a', 'b'),
      asked('a', 'b', 'b', 'a'),
      asked('a', 'b', 'a', 'c'),
      asked('a', 'b', 'c', 'b'),
      asked('a', 'b', 'a', 'a'),
      asked('a', 'a', 'a', 'a'),
    ]
    expect(new Set(bodies.map(hash)).size).toBe(bodies.length)
  })
})

test.each(callData)('data that is named like the id of a call counts: %s', (_, asked) => {
  expect(hash(asked('call-of-alice'))).not.toBe(hash(asked('call-of-bob')))
})

describe('the lines of a batch', () => {
  const line = (id: string, id2 = id): JsonValue => ({
    custom_id: 'one',
    body: {
      model: 'gpt-5',
      messages: [
        { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'a' } }] },
        { role: 'tool', tool_call_id: id2, content: 'A' },
      ],
    },
  })
  const upload = (...lines: JsonValue[]): string =>
    lines.map((each) => `${JSON.stringify(each)}\n`).join('')

  test('name their calls as they like', () => {
    const [one, other] = [upload(line('a'), line('b')), upload(line('x'), line('y'))]
    expect(hashOf(one)).toBe(hashOf(other))
    expect(hashOf(one)).not.toBe(hashOf(upload(line('a'), line('b', 'c'))))
  })

  test('share the names of their calls or do not', () => {
    expect(hashOf(upload(line('a'), line('a')))).not.toBe(hashOf(upload(line('a'), line('b'))))
  })

  test('hold data that is named like the id of a call', () => {
    const data = (call_id: string): string =>
      upload(line('a'), { custom_id: 'two', metadata: { call_id }, call_id, type: 'function_call' })
    expect(hashOf(data('of-alice'))).not.toBe(hashOf(data('of-bob')))
  })
})

describe('a file in a form', () => {
  const form = (file: JsonValue): string =>
    `--x\r\ncontent-disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n${JSON.stringify(file)}\r\n--x--\r\n`
  const hashOfForm = (file: JsonValue): string =>
    hashOf(form(file), 'multipart/form-data; boundary=x')

  test('counts as the text that it is', () => {
    const chat = (id: string): JsonValue => ({ messages: [{ role: 'tool', tool_call_id: id }] })
    expect(hashOfForm({ body: chat('a') })).not.toBe(hashOfForm({ body: chat('b') }))
    expect(hashOfForm({ a: 1, b: 2 })).not.toBe(hashOfForm({ b: 2, a: 1 }))
  })

  test('holds data that is named like the id of a call', () => {
    const data = (tool_use_id: string): JsonValue => ({ body: { metadata: { tool_use_id } } })
    expect(hashOfForm(data('a'))).not.toBe(hashOfForm(data('b')))
  })
})
