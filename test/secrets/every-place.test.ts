import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CassetteStore } from '../../src/cassette/store.ts'
import { isRecorded, type RecordedExchange } from '../../src/cassette/cassette.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { FORMAT_VERSION } from '../../src/cassette/format.ts'
import { isJsonObject, type JsonValue } from '../../src/json/json-value.ts'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { textOf, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { exampleExchange } from '../cassette/example-cassette.ts'
import { credentials } from '../reliability/credentials.ts'
import { spelledIn } from './spelled-in.ts'

const { value: issued } = credentials.find(({ issuer }) => issuer === 'OpenAI')!
const { value: shapeless } = credentials.find(({ issuer }) => issuer === 'Mistral')!

type Wire = RecordedExchange['wire']

/** One recorded exchange of every wire format. */
const wires: Array<[name: string, wire: Wire]> = (() => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = `test/recordings/format-${FORMAT_VERSION}.test.ts`
  const store = new CassetteStore(root, '__recordings__', 1e9)
  return readdirSync(`${root}__recordings__/${folder}`).flatMap((file) =>
    store
      .load(`${folder}/${file}`)!
      .exchanges.filter(isRecorded)
      .map(({ wire }): [string, Wire] => [file, wire]),
  )
})()

/** What has a place in a wire format, and is spelled by it alone. */
const FIXED = new Set(['kind', 'layout', 'eol', 'method', 'url', 'after'])

/** What holds JSON in which any key can stand. */
const HELD = new Set(['value', 'data', 'chunk', 'arguments', 'input', 'metadata', 'usage'])

/** The value with a text at the end of each of its strings and keys in turn, one place at a time. */
function* everywhere(value: JsonValue, text: string): Generator<JsonValue> {
  if (typeof value === 'string') yield `${value} ${text}`
  else if (Array.isArray(value))
    for (const [index, item] of value.entries())
      for (const changed of everywhere(item, text)) yield value.with(index, changed)
  else if (isJsonObject(value))
    for (const [key, child] of Object.entries(value)) {
      if (FIXED.has(key)) continue
      for (const changed of everywhere(child, text)) yield { ...value, [key]: changed }
      if (HELD.has(key) && isJsonObject(child)) yield { ...value, [key]: { ...child, [text]: 1 } }
    }
}

/** Streams with a text in each part of an event that is no data. */
const EVENTS: Array<[place: string, event: (text: string) => string]> = [
  ['a comment', (text) => `: ${text}\n\n`],
  ['a comment without a space', (text) => `:${text}\n\n`],
  ['a comment beside data', (text) => `: ${text}\ndata: {"a":1}\n\n`],
  ['an id', (text) => `id: ${text}\ndata: {"a":1}\n\n`],
  ['an id after data', (text) => `data: {"a":1}\nid: ${text}\n\n`],
  ['the name of an event', (text) => `event: ${text}\ndata: {"a":1}\n\n`],
  ['the name of an event with an id', (text) => `id: 1\nevent: ${text}\ndata: {"a":1}\n\n`],
  ['retry', (text) => `retry: ${text}\ndata: {"a":1}\n\n`],
  ['an unknown field', (text) => `trace: ${text}\ndata: {"a":1}\n\n`],
  ['a line without a field', (text) => `${text}\ndata: {"a":1}\n\n`],
  ['an event without data', (text) => `id: ${text}\nevent: ping\n\n`],
  ['data that is a list', (text) => `data: ["${text}"]\n\n`],
  ['data of several lines', (text) => `data: Yes,\ndata: ${text}\n\n`],
  ['the second event of a block', (text) => `data: {"a":1}\r\rdata: ${text}\r\r`],
  ['an unfinished event', (text) => `id: ${text}\ndata: {"a"`],
  ['lines that end as on Windows', (text) => `id: ${text}\r\ndata: {"a":1}\r\n\r\n`],
]

function streamWith(event: string): Body {
  const text = `data: {"a":0}\n\n${event}`
  return readBody(Buffer.from(text), 'text/event-stream')
}

function redacted(wire: Wire): Wire {
  const redactor = redactorFor([], new URL('https://a.io/'), [], { ACME_API_KEY: shapeless })
  return { request: redactor.request(wire.request), response: redactor.response(wire.response) }
}

async function isRefused(wire: Wire): Promise<boolean> {
  const exchanges = [{ ...exampleExchange(1, {}), wire }]
  const timestamp = '2026-01-02T03:04:05.000Z'
  const { stored } = encodeCassette({ conversationId: 'a', timestamp, exchanges }, '')
  return (await findSecrets(stored, exchanges)).secrets.length > 0
}

describe.for(EVENTS)('in a stream, %s', ([, event]) => {
  const { request, response } = exampleExchange(1, {}).wire as Wire

  test('holds no known value, and is replayed with the placeholder', () => {
    const kept = redacted({
      request,
      response: { ...response, body: streamWith(event(shapeless)) },
    })
    expect(textOf(kept.response.body)).toBe(textOf(streamWith(event('<REDACTED:ACME_API_KEY>'))))
  })

  test('holds no credential that nobody knows', async () => {
    expect(
      await isRefused({ request, response: { ...response, body: streamWith(event('x')) } }),
    ).toBe(false)
    expect(
      await isRefused({ request, response: { ...response, body: streamWith(event(issued)) } }),
    ).toBe(true)
  })
})

test.for([
  ['ids of two events', (one, two) => `id: ${one}\ndata: {"a":1}\n\nid: ${two}\ndata: {"a":1}\n\n`],
  ['two comments', (one, two) => `: ${one}\n\n: ${two}\n\n`],
  ['a name and an id', (one, two) => `event: ${one}\nid: ${two}\ndata: {"a":1}\n\n`],
] as Array<[string, (one: string, two: string) => string]>)(
  'a value that is cut into %s is found',
  async ([, event]) => {
    const { request, response } = exampleExchange(1, {}).wire as Wire
    const cut = (text: string): Wire => ({
      request,
      response: { ...response, body: streamWith(event(text.slice(0, 12), text.slice(12))) },
    })
    const kept = textOf(redacted(cut(shapeless)).response.body)
    expect(kept).toContain('<REDACTED:ACME_API_KEY>')
    expect(kept).not.toContain(shapeless.slice(12))
    expect(await isRefused(cut(issued))).toBe(true)
  },
)

test('no string and no key of any wire format holds a known value', () => {
  let places = 0
  for (const [name, wire] of wires)
    for (const changed of everywhere(wire as unknown as JsonValue, shapeless)) {
      places++
      expect(
        spelledIn(JSON.stringify(redacted(changed as unknown as Wire)), shapeless),
        name,
      ).toEqual([])
    }
  console.log(`${places} places in ${wires.length} exchanges`)
  expect(places).toBeGreaterThan(1_000)
})

test(
  'no string and no key of any wire format holds a credential that nobody knows',
  { timeout: 300_000 },
  async () => {
    const left: string[] = []
    for (const [name, wire] of wires) {
      for (const changed of everywhere(wire as unknown as JsonValue, issued))
        if (!(await isRefused(changed as unknown as Wire)))
          left.push(`${name}: ${JSON.stringify(changed).split(issued)[0]!.slice(-80)}`)
    }
    expect(left).toEqual([])
  },
)

/** Bytes that are no text, with a text in them. */
const FILES: Array<[kind: string, bytes: (text: string) => Buffer]> = [
  ['a sound', (text) => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.from(text)])],
  ['a document', (text) => Buffer.from(`%PDF-1.7\n%\xe2\xe3\n/Title (${text})\n\0\xff`, 'latin1')],
  [
    'a text after its length',
    (text) => Buffer.from(`\0${String.fromCharCode(text.length)}${text}\xff`, 'latin1'),
  ],
  ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 the other way', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
]

/** Where bytes stand in an answer. */
const BYTES: Array<[place: string, body: (bytes: Buffer) => Body]> = [
  ['as they are', (bytes) => ({ kind: 'bytes', bytes })],
  ['in base64', (bytes) => json({ audio: { data: bytes.toString('base64') } })],
  ['in hexadecimal digits', (bytes) => json({ data: bytes.toString('hex') })],
  ['in a list', (bytes) => json({ data: [...bytes] })],
  ['in a `Uint8Array`', (bytes) => json({ data: JSON.parse(typed(bytes)) as JsonValue })],
  ['in a text as `Uint8Array`', (bytes) => json({ text: typed(bytes) })],
  [
    'in a list of hexadecimal numbers',
    (bytes) => json({ text: `{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')}}` }),
  ],
  [
    'in a part of a form',
    (bytes) => ({ kind: 'form', parts: [{ name: 'file', data: bytes.toString('base64') }] }),
  ],
]

function typed(bytes: Buffer): string {
  return JSON.stringify(new Uint8Array(bytes))
}

function json(value: JsonValue): Body {
  return readBody(Buffer.from(JSON.stringify(value)), 'application/json')
}

test.for(BYTES)('bytes that are no text are searched for credentials, %s', async ([, body]) => {
  const { request, response } = exampleExchange(1, {}).wire as Wire
  for (const [kind, bytes] of FILES)
    for (const [text, isFound] of [
      [issued, true],
      ['a title that is no credential', false],
    ] as const)
      expect(
        await isRefused({ request, response: { ...response, body: body(bytes(text)) } }),
        kind,
      ).toBe(isFound)
})

test.for([
  ['the host', 'https://KEY.acme.io/v1'],
  ['the fragment', 'https://acme.io/v1#KEY'],
])('a known value that nothing replaces is refused: %s of an address', async ([, address]) => {
  const env = { ACME_API_KEY: 'zQ7pX2mKv9LtR4wBn8YcD1sFh6GjTa3E' }
  const { request, response } = exampleExchange(1, {}).wire as Wire
  const url = address!.replace('KEY', env.ACME_API_KEY)
  const exchanges = [
    { ...exampleExchange(1, {}), wire: { request: { ...request, url }, response } },
  ]
  const timestamp = '2026-01-02T03:04:05.000Z'
  const { stored } = encodeCassette({ conversationId: 'a', timestamp, exchanges }, '')
  expect((await findSecrets(stored, exchanges)).secrets).toEqual([])
  expect((await findSecrets(stored, exchanges, env)).secrets).toMatchObject([
    { rule: 'value-of-your-environment' },
  ])
})

test('the head of a cassette is searched for known values', async () => {
  const exchanges = [exampleExchange(1, {})]
  const head = { conversationId: 'a', timestamp: '2026-01-02T03:04:05.000Z', exchanges }
  for (const changed of [
    { ...head, conversationId: `a.test.ts > asks with ${issued}` },
    { ...head, params: { customer: issued } },
    { ...head, proposedParams: { customer: issued } },
  ]) {
    const { stored } = encodeCassette(changed, '')
    expect((await findSecrets(stored, exchanges)).secrets).toHaveLength(1)
  }
})
