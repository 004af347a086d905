import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { encodeReadably } from '../../../src/cassette/format/read-back.ts'
import { CassetteStore, describeRaw } from '../../../src/cassette/store.ts'
import type { Cassette, RecordedExchange } from '../../../src/cassette/cassette.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { writeBody } from '../../../src/wire/body.ts'
import { readBody, readRequestBody } from '../../../src/wire/read-body.ts'
import type { Imported } from '../../../src/wire/imported.ts'
import { bareJson } from '../../bare-json.ts'

const PATH = 'a.test.ts/asks-0123456789.json'

interface Sent {
  method?: string
  status?: number
  type?: string
  request?: string
  header?: string
  answer: string | Uint8Array
}

/** An exchange as a recording makes it of what was sent. */
function recorded({
  method = 'POST',
  status = 200,
  type = 'application/json',
  request,
  answer,
  header,
}: Sent): Cassette {
  const asked = request ?? '{"model":"gpt-5","messages":[{"role":"user","content":"Hi"}]}'
  const incoming = readIncoming({
    method,
    url: 'https://api.openai.com/v1/chat/completions',
    body: readRequestBody(Buffer.from(asked), 'application/json'),
  })
  const response = {
    status,
    headers: { 'content-type': type, ...(header === undefined ? {} : { 'x-request-id': header }) },
    body: readBody(Buffer.from(answer as string), type),
  }
  return {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns([{ incoming, response }]),
  }
}

/** The exchange that is read back, from a file. */
async function readBack(cassette: Cassette): Promise<RecordedExchange> {
  const root = mkdtempSync(join(tmpdir(), 'cassette-read-back-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = new CassetteStore(root, '__recordings__', 1e9)
  await store.save(PATH, cassette)
  return store.load(PATH)!.exchanges[0] as RecordedExchange
}

function chat(more: string, usage = ''): string {
  return `{"id":"1","choices":[{"index":0,"message":{"role":"assistant","content":${more}},"finish_reason":"stop"}]${usage}}`
}

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const sse = (eol: string, ...data: string[]): string =>
  data.map((one) => `data: ${one}${eol}${eol}`).join('')

const sent: Record<string, Sent> = {
  'a negative usage': {
    answer: chat('"a"', ',"usage":{"prompt_tokens":-1,"completion_tokens":-1}'),
  },
  'a fractional usage': {
    answer: chat('"a"', ',"usage":{"prompt_tokens":1.5,"completion_tokens":0.1}'),
  },
  'a huge usage': {
    answer: chat(
      '"a"',
      ',"usage":{"prompt_tokens":1e400,"completion_tokens":99999999999999999999999}',
    ),
  },
  'a usage of text': {
    answer: chat('"a"', ',"usage":{"prompt_tokens":"NaN","completion_tokens":null}'),
  },
  'blanks alone': { answer: ' '.repeat(3_000) },
  'white space in a line': {
    type: 'application/x-ndjson',
    answer: `{"a":1${' '.repeat(3_000)}}\n{"a":2}\n`,
  },
  'a depth of 990': { answer: deep(990) },
  'a depth of 1,000': { answer: deep(1_000) },
  'a depth of 5,000': { answer: deep(5_000) },
  'a deep event': { type: 'text/event-stream', answer: sse('\n', deep(995)) },
  'a deep request': {
    request: `{"model":"gpt-5","messages":[{"role":"user","content":"Hi"}],"x":${deep(995)}}`,
    answer: chat('"a"'),
  },
  'a tool call with deep arguments': {
    answer: `{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${JSON.stringify(deep(995))}}}]},"finish_reason":"tool_calls"}]}`,
  },
  'a lone surrogate': { answer: chat('"\\ud83d and \\udc00"') },
  'a byte order mark': { answer: `\ufeff${chat('"a"')}` },
  'a key twice': { answer: '{"a":1,"a":2}' },
  'a key of JavaScript': { answer: '{"__proto__":{"a":1},"constructor":1,"toString":null}' },
  'the keys of a cassette': {
    answer: '{"$":"text","$ref":"b","$join":[],"x":{"$file":"!"},"$$each":1,"$$":[{"$like":"a"}]}',
  },
  'an indent of 8, and a line end': {
    answer: `${JSON.stringify({ a: [1, { b: 2 }] }, null, 8)}\n`,
  },
  'white space at the end': { answer: chat('"a"') + ' \n'.repeat(500) },
  'events as Python spells them': {
    type: 'text/event-stream',
    answer: sse('\n', '{"a": 1, "b": [2, 3]}', '{"a": 2}', '[DONE]'),
  },
  'numbers of any size': {
    answer: '[1e400,-0,-0.0,1E+2,0.10,123456789012345678901234567890,5e-324]',
  },
  'invalid UTF-8': { answer: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x22, 0x7d]) },
  'zero bytes': { answer: 'a\0b\0' },
  'an escaped zero': { answer: chat('"a\\u0000b\\u2028"') },
  'events with the line ends of Windows': {
    type: 'text/event-stream',
    answer: sse('\r\n', '{"a":1}', '[DONE]'),
  },
  'events with the line ends of old Macs': {
    type: 'text/event-stream',
    answer: sse('\r', '{"a":1}', '[DONE]'),
  },
  'events with all line ends': {
    type: 'text/event-stream',
    answer: `${sse('\n', '{"a":1}')}${sse('\r\n', '{"b":1}')}data: x\r\r: ping\n\n\n\nid: 1\ndata:y`,
  },
  'an empty body': { answer: '' },
  'an error of 599': { status: 599, answer: '{"error":{"message":"no"}}' },
  'an empty header': { header: '', answer: chat('"a"') },
  'a header of other letters': { header: 'Stra\u00dfe', answer: chat('"a"') },
  'a long header': { header: 'x'.repeat(100_000), answer: chat('"a"') },
  'another type': { type: 'application/json; charset=utf-16', answer: chat('"a"') },
  'a method in lower case': { method: 'patch', answer: chat('"a"') },
  'a method with a hyphen': { method: 'M-SEARCH', answer: chat('"a"') },
  'a method of its own': { method: "x!#$%&'*+.^_`|~9", answer: chat('"a"') },
}

test.each(Object.entries(sent))('what was sent is read back byte for byte: %s', async (_, one) => {
  const cassette = recorded(one)
  const [was] = cassette.exchanges as [RecordedExchange]
  const now = await readBack(cassette)
  expect(bytesOf(now)).toEqual(Buffer.from(one.answer as string).toString('hex'))
  const { body: _body, ...head } = was.wire.response
  expect(now.wire.response).toMatchObject(head)
  expect(now.wire.request.method).toBe(was.wire.request.method)
  // An unchanged request still matches.
  expect(readIncoming(now.wire.request).hash).toBe(readIncoming(was.wire.request).hash)
})

const spaced: Record<string, Sent> = {
  'white space that runs away, at the end': { answer: chat('"a"') + ' \n'.repeat(5_000) },
  'white space that runs away, before the bracket': {
    answer: `${chat('"a"').slice(0, -1)}${' '.repeat(5_000)}}`,
  },
  'white space that runs away, in the middle': { answer: `{${' \n'.repeat(5_000)}"a":1}` },
  'an indent of 40': {
    answer: JSON.stringify({ a: [1, { b: 2 }] }, null, 10).replaceAll(/^ +/gm, (s) => s.repeat(4)),
  },
  'white space in an event': {
    type: 'text/event-stream',
    answer: sse('\n', '{"a":1}', `{"a":2${' '.repeat(3_000)}}`),
  },
}

test.each(Object.entries(spaced))('only white space is lost: %s', async (_, one) => {
  const now = await readBack(recorded(one))
  expect(['json', 'events']).toContain(now.wire.response.body.kind)
  const back = Buffer.concat(writeBody(now.wire.response.body)).toString()
  expect(back.length).toBeLessThan(one.answer.length)
  expect(bareJson(back)).toBe(bareJson(one.answer as string))
})

test('a request of any spelling is read back byte for byte', async () => {
  const asSent = '{ "model":"gpt-5","messages":[]}'
  const cassette = recorded({ answer: chat('"a"') })
  const [{ wire }] = cassette.exchanges as [RecordedExchange]
  const value = { model: 'gpt-5', messages: [] }
  wire.request.body = { kind: 'json', value, layout: {}, asSent }
  const { request } = (await readBack(cassette)).wire
  expect(request.body).toEqual({ kind: 'json', value, layout: {}, asSent })
  expect(Buffer.concat(writeBody(request.body)).toString()).toBe(asSent)
})

test.each<Imported>([
  { from: 'har', unknown: ['body'], kind: 'form' },
  { from: 'nock', unknown: ['method', 'host', 'path', 'headers'], respelled: true },
  { from: 'vcr', redacted: ['<TOKEN>'] },
])('what another tool did not tell is read back: %j', async (imported) => {
  const cassette = recorded({ answer: chat('"a"') })
  const [{ wire }] = cassette.exchanges as [RecordedExchange]
  if (imported.unknown?.includes('body')) wire.request.body = { kind: 'empty' }
  wire.request.imported = imported
  expect((await readBack(cassette)).wire.request).toEqual(wire.request)
})

test('only what cannot be read back becomes a text', async () => {
  const cassette = recorded({ answer: deep(1_000) })
  const other = recorded({ answer: chat('"a"') })
  const exchanges = [cassette.exchanges[0]!, { ...other.exchanges[0]!, id: 'exchange-2' }]
  const root = mkdtempSync(join(tmpdir(), 'cassette-read-back-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = new CassetteStore(root, '__recordings__', 1e9)
  const { raw } = await store.save(PATH, { ...cassette, exchanges })
  expect(raw.map(({ id }) => id)).toEqual(['exchange-1'])
  expect(describeRaw('a.json', raw)).toMatch(/^a\.json: exchange-1 \(.+\).*internal/s)
  const kinds = store.load(PATH)!.exchanges.map(({ wire }) => wire!.response!.body.kind)
  expect(kinds).toEqual(['text', 'json'])
})

test('what people read is read back too', async () => {
  const [exchange] = recorded({ answer: chat('"a"') }).exchanges as [RecordedExchange]
  exchange.part = 'judge'
  let times = 0
  // As if it were stored as another text.
  const response = Object.defineProperty({ ...exchange.response }, 'reasoning', {
    get: () => `thought ${++times}`,
    enumerable: true,
  })
  const wrong = { ...exchange, response }
  const file = encodeReadably({ ...recorded({ answer: '' }), exchanges: [exchange] }, 's')
  expect(file.raw).toEqual([])
  const told = encodeReadably({ ...recorded({ answer: '' }), exchanges: [wrong] }, 's')
  expect(told.raw.map(({ id }) => id)).toEqual(['exchange-1'])
})

test('a count that no provider can mean is not told', async () => {
  const { response } = await readBack(recorded(sent['a negative usage']!))
  expect(response).not.toHaveProperty('usage')
})

function bytesOf({ wire }: RecordedExchange): string {
  return Buffer.concat(writeBody(wire.response.body)).toString('hex')
}
