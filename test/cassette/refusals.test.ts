import { expect, test } from 'vitest'
import { decodeCassette } from '../../src/cassette/decode.ts'
import type { Refusal } from '../../src/cassette/format/refuse-file.ts'
import { parseStored } from '../../src/cassette/reader.ts'

const SENT = { status: 200, headers: {}, body: { ok: true } }

function exchange(request: object = {}, sent: object = SENT): object {
  const url = 'https://api.openai.com/v1/chat/completions'
  return {
    prompt: { text: 'Hi' },
    request: { method: 'POST', url, body: { a: 1 }, ...request },
    response: { sent },
  }
}

function fileOf(exchanges: object[], more: object = {}): string {
  return JSON.stringify({
    version: '2.0',
    conversation_id: 'a.test.ts > asks',
    exchanges,
    timestamp: '2026-11-26T16:26:47.000Z',
    ...more,
  })
}

/** The word for the reason to refuse a file; `undefined` where it is read. */
function refusalOf(text: string): unknown {
  try {
    decodeCassette(parseStored(text), () => Buffer.from('other'))
    return undefined
  } catch (error) {
    return (error as Error).cause
  }
}

const BLOB = `${'0'.repeat(64)}.png`

test.for<[what: string, reason: Refusal | undefined, text: string]>([
  ['no JSON', 'json', '{'],
  ['a merge conflict', 'json', '{\n<<<<<<< ours\n}'],
  ['a key twice', 'json', fileOf([]).replace('{', '{"version":"2.0",')],
  ['a later version', 'version', fileOf([], { version: '3.0' })],
  ['a version before any', 'version', fileOf([], { version: '0.9' })],
  ['a version that is none', 'version', fileOf([], { version: 'two' })],
  ['recorded exchanges of version 1', 'version', fileOf([exchange()], { version: '1.3' })],
  ['an empty file of version 1', undefined, fileOf([], { version: '1.3' })],
  ['an unknown member', 'unsupported', fileOf([], { more: 1 })],
  ['an unknown member before a wrong one', 'unsupported', fileOf([], { timestamp: 1, more: 1 })],
  ['an unknown member of an exchange', 'unsupported', fileOf([exchange({ more: 1 })])],
  ['a sample of a test', 'unsupported', fileOf([exchange({ sample: 2 })])],
  [
    'a $like in a response',
    'unsupported',
    fileOf([exchange({}, { ...SENT, body: { $like: 'a' } })]),
  ],
  ['an $each in a request', 'unsupported', fileOf([exchange({ body: { a: { $each: [1] } } })])],
  [
    'a marker beside other keys',
    'unsupported',
    fileOf([exchange({ body: { a: 1, $: 'prompt' } })]),
  ],
  ['a wrong member', 'invalid', fileOf([], { timestamp: 1 })],
  ['a missing member', 'invalid', fileOf([], { exchanges: undefined })],
  ['a request that is a number', 'invalid', fileOf([exchange({ body: 1 })])],
  ['a response that is a number', undefined, fileOf([exchange({}, { ...SENT, body: 1 })])],
  ['no body', undefined, fileOf([exchange({ body: undefined })])],
  ['an id twice', 'invalid', fileOf([{ id: 'exchange-2', ...exchange() }, exchange()])],
  ['a reference to no exchange', 'invalid', fileOf([exchange({ body: { a: { $: 'b.0' } } })])],
  ['after no exchange', 'invalid', fileOf([exchange({ after: 'exchange-9' })])],
  ['after itself', 'invalid', fileOf([exchange({ after: 'exchange-1' })])],
  ['after a later one', 'invalid', fileOf([exchange({ after: 'exchange-2' }), exchange()])],
  ['after an earlier one', undefined, fileOf([exchange(), exchange({ after: 'exchange-1' })])],
  [
    'an event that is none',
    'invalid',
    fileOf([exchange({}, { ...SENT, body: undefined, events: [1] })]),
  ],
  ['a file of another name', 'file', fileOf([exchange({ body: { a: { $file: '../a' } } })])],
  ['a file that differs', 'file', fileOf([exchange({ body: { a: { $file: BLOB } } })])],
])('%s: the word for the refusal is %s', ([, reason, text]) => {
  expect(refusalOf(text)).toBe(reason)
})
