import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { rawHashOf, hashResponse } from '../../../src/cassette/format/hashes.ts'
import { parseJson } from '../../../src/json/json-value.ts'
import { asItWasSent, readText } from '../../../src/wire/body.ts'
import type { WireRequest } from '../../../src/wire/message.ts'

const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)

const asked = (text: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: 'POST',
  url: 'https://api.openai.com/v1/files?b=2&a=1',
  headers: { 'openai-beta': 'b, a', 'anthropic-version': '2023-06-01' },
  body: asItWasSent(readText(text, false), readText(text, false)),
  ...more,
})

const HEAD =
  'POST api.openai.com/v1/files?b=2&a=1\nanthropic-version: 2023-06-01\nopenai-beta: a, b\n\n'

test.each([
  '{"a":1.0}',
  '{ "a": 1 }\n',
  '{\n  "a": "ä"\n}',
  '{"a":1}\n{"a": 2}\n',
  '[1,2]',
  'no JSON \u0000',
])('the raw hash of %j is that of its head and its text, as it was sent', (text) => {
  expect(rawHashOf(asked(text))).toBe(sha256(HEAD + text))
})

test('a body whose spelling no layout has is hashed as it was sent', () => {
  const asSent = '{"a" :1}'
  const body = { kind: 'json', value: parseJson(asSent), layout: {}, asSent } as const
  expect(rawHashOf(asked('', { body }))).toBe(sha256(HEAD + asSent))
})

test('bytes, and no body at all', () => {
  const bytes = Buffer.from([0xff, 0, 10])
  const body = { kind: 'bytes', bytes } as const
  expect(rawHashOf(asked('', { body }))).toBe(sha256(Buffer.concat([Buffer.from(HEAD), bytes])))
  const get: WireRequest = {
    method: 'GET',
    url: 'http://127.0.0.1:8080/v1/models',
    body: { kind: 'empty' },
  }
  expect(rawHashOf(get)).toBe(sha256('GET localhost/v1/models\n\n'))
})

test('there is none of a request of which nobody knows how it was sent', () => {
  const form = { kind: 'form', parts: [{ name: 'a', text: 'b' }] } as const
  expect(rawHashOf(asked('', { body: { ...form, parts: [...form.parts] } }))).toBe('')
  expect(rawHashOf(asked('{}', { imported: { from: 'vcr' } }))).toBe('')
})

test('the hash of a response is that of its compact JSON, numbers as they are spelled', () => {
  const text =
    '{"text":"","sent":{"status":200,"headers":{},"body":{"b":1.0,"a":12345678901234567890}}}'
  expect(hashResponse(parseJson(text) as object)).toBe(sha256(text))
})
