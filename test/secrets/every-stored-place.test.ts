import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ifReadable } from '../../src/cassette/reader.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { FORMAT_VERSION, printCassette, type StoredCassette } from '../../src/cassette/format.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { isJsonObject, type JsonValue } from '../../src/json/json-value.ts'
import { keysOfPointer } from '../../src/json/json-pointer.ts'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { lineOfValue } from '../../src/tools/verify/verify-cassettes.ts'
import { recordAgent } from '../conversation/example-agent.ts'
import { chatWire } from '../conversation/example-wires.ts'
import { credentials } from '../reliability/credentials.ts'

const { value: issued } = credentials.find(({ issuer }) => issuer === 'OpenAI')!

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(900)])
const turn = { question: 'a', arguments: { b: 1 }, result: 'c', answer: 'd' }
const { stored: pictured, blobs } = encodeCassette(
  recordAgent(chatWire, [{ ...turn, screenshot: png.toString('base64') }]),
)

const head = { version: '2.0', conversation_id: 'a > b', timestamp: '2026-01-02T03:04:05.000Z' }
const asked = { method: 'POST', url: 'https://api.openai.com/v1/chat/completions' }
const prompt = { text: ['How', ' are you?'], metadata: { model: 'x', list: ['y', { z: 'w' }] } }

/** A file with each kind of body and each marker. */
const EVERY: StoredCassette = {
  ...head,
  params: { order: 'A-4711' },
  proposed_params: { order: 'A-4712' },
  invalid: { reason: 'it is old', since: '2026-01-02T03:04:05.000Z' },
  exchanges: [
    {
      id: 'exchange-1',
      part: 'judge',
      prompt,
      request: {
        ...asked,
        headers: { 'anthropic-beta': 'a-beta' },
        imported: { from: 'vcr', redacted: ['a text'] },
        as_sent: '{"messages": ["a"],"more":{"b":"c"}}',
        body: { messages: ['a'], more: { b: 'c' } },
      },
      response: {
        text: ['a', ' b'],
        reasoning: ['c', ' d'],
        tool_calls: [{ tool_name: 'find', parameters: { q: ['r'] }, result: { s: 't' } }],
        finish_reasons: ['stop'],
        error: 'an error',
        sent: {
          status: 200,
          headers: { 'content-type': 'application/json', 'x-request-id': ['a', 'b'] },
          renewed: ['chatcmpl-1', { deep: 'one' }],
          body: { id: { $: 0 }, $$each: ['e'], said: { $join: ['a ', { $: 'text' }, ' z'] } },
        },
      },
    },
    {
      id: 'exchange-2',
      prompt,
      request: {
        ...asked,
        url: { $join: ['https://api.openai.com/v1/files/', { $: 'exchange-1.0' }, '/more'] },
        body: { $like: 'exchange-1', messages: [{ $items: [0, 1] }, { of: ['b'] }] },
      },
      response: {
        sent: {
          status: 200,
          headers: {},
          named: true,
          events: [
            { type: 'a', delta: { $each: ['one', 'two'] }, index: { $each: [1, 2] } },
            ['name', { b: 'c' }],
            [': a comment\n\n'],
            '[DONE]',
          ],
        },
      },
    },
    {
      id: 'exchange-3',
      prompt,
      request: { ...asked, text: ['a', ' text'] },
      response: { sent: { status: 200, headers: {}, text: ['more', ' text'] } },
    },
    {
      id: 'exchange-4',
      prompt,
      request: { ...asked, form: [{ name: 'a', filename: 'b', type: 'c/d', text: 'e' }] },
      response: {
        sent: {
          status: 200,
          headers: {},
          lines: ['{"a":"b"}\n', { c: 'd' }, { e: { $each: ['f', 'g'] } }],
        },
      },
    },
    {
      id: 'exchange-5',
      prompt,
      request: { ...asked, lines: [{ a: 'b' }] },
      response: {
        sent: {
          status: 200,
          headers: {},
          frames: [
            { event: 'chunk', data: { a: 'b' }, chunk: { c: 'd' } },
            { headers: { ':event-type': 'e' }, data: 'f' },
          ],
        },
      },
    },
    { prompt: { text: 'by hand' }, response: { text: ['by', ' hand'] } },
  ],
}

/** Texts that say what the others are, and that no file has with a credential in them. */
const FIXED =
  /^\/(?:version|timestamp|invalid\/since|hashes.*|seal)$|\/(?:id|method|after|\$[^/]*|from)$/

type Edit = (text: string) => JsonValue

/** A value with a text in each of its strings and keys in turn. */
function* everywhere(value: JsonValue, place = ''): Generator<[place: string, edit: Edit]> {
  if (typeof value === 'string') {
    if (!FIXED.test(place)) yield [place, (text) => `${value} ${text}`]
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries())
      for (const [at, edit] of everywhere(item, `${place}/${index}`))
        yield [at, (text) => value.with(index, edit(text))]
  else if (isJsonObject(value)) {
    yield [`${place} (a key)`, (text) => ({ ...value, [text]: 1 })]
    for (const [key, child] of Object.entries(value))
      for (const [at, edit] of everywhere(child, `${place}/${key.replace('/', '~1')}`))
        yield [at, (text) => ({ ...value, [key]: edit(text) })]
  }
}

const load = (name: string): Buffer => blobs.get(name)!

function read(value: JsonValue): StoredCassette | undefined {
  return ifReadable(() => {
    const stored = parseCassette(printCassette(value as unknown as StoredCassette))
    decodeCassette(stored, load)
    return stored
  })
}

/** The pointers of what is found in a file. */
function pointersIn(stored: StoredCassette): string[] {
  const { exchanges } = decodeCassette(stored, load)
  return findSecrets(stored, exchanges).secrets.map(({ pointer }) => pointer)
}

const root = fileURLToPath(new URL(`../../__recordings__/test/recordings`, import.meta.url))
const folder = `${root}/format-${FORMAT_VERSION}.test.ts`
const recordings = readdirSync(folder)
  .filter((name) => /socket|transcri|edit|stream-|tools|picture|converse/.test(name))
  .map((name): [string, StoredCassette] => [
    name,
    parseCassette(readFileSync(`${folder}/${name}`, 'utf8')),
  ])
  .filter(([, { exchanges }]) => !JSON.stringify(exchanges).includes('.png"'))

test.for<[string, StoredCassette]>([
  ['a file with everything', EVERY],
  ['a picture', pictured],
  ...recordings,
])('a credential is found at each place of %s, and its pointer is in the file', ([, file]) => {
  const before = JSON.parse(printCassette(file)) as JsonValue
  expect(read(before)).toBeDefined()
  const left: string[] = []
  let count = 0
  for (const [place, edit] of everywhere(before)) {
    const stored = read(edit(issued))
    if (!stored) continue
    count++
    const found = pointersIn(stored)
    const text = printCassette(stored)
    const isThere = found.every((one) => lineOfValue(text, keysOfPointer(one)) !== undefined)
    if (found.length === 0 || !isThere) left.push(`${place}: ${found.join(', ') || 'nothing'}`)
  }
  expect(left).toEqual([])
  expect(count).toBeGreaterThan(10)
})

test('a credential that is cut into the strings of a text is found, and its pointer is in the file', () => {
  const cut = [issued.slice(0, 9), issued.slice(9, 30), issued.slice(30)]
  const places = ['/prompt/text', '/response/text', '/response/reasoning', '/request/text']
  places.push('/response/sent/text', '/request/base64', '/response/sent/base64')
  for (const place of places) {
    const isBytes = place.endsWith('base64')
    const bytes = Buffer.from(`\xff\xfe\0${issued}`, 'latin1').toString('base64')
    const pieces = isBytes ? [bytes.slice(0, 16), bytes.slice(16)] : cut
    const exchange = {
      id: 'exchange-1',
      prompt: { text: 'a' },
      request: { ...asked },
      response: { sent: { status: 200, headers: {} } },
    }
    const keys = place.slice(1).split('/')
    const parent = keys.slice(0, -1).reduce((one, key) => (one as never)[key], exchange as object)
    Object.assign(parent, { [keys.at(-1)!]: pieces })
    const stored = parseCassette(printCassette({ ...head, exchanges: [exchange] }))
    expect(pointersIn(stored), place).toContain(`/exchanges/0${place}`)
  }
})
