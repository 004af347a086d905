import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { cassetteSchema, jsonLayout } from '../../src/cassette/format/schema.ts'
import { isCassette, isJsonLayout } from '../../src/cassette/format/is-cassette.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { recognizeCassette } from '../../src/cassette/reader.ts'
import { isJsonObject, parseJson, type JsonValue } from '../../src/json/json-value.ts'
import { recordAgent } from '../conversation/example-agent.ts'
import { anthropicWire, chatWire } from '../conversation/example-wires.ts'

const turns = [{ question: 'What?', arguments: { a: 1 }, result: 'this', answer: 'That.' }]

const texts = [
  recordAgent(chatWire, turns),
  recordAgent(anthropicWire, turns, { stream: true }),
].map((cassette) => printCassette(encodeCassette(cassette, 'cassette.schema.json').stored))

/** A cassette with every field that one can have, each with a value that it can have. */
const FULL = `{
  "$schema": "x", "version": "1.0", "conversation_id": "a", "timestamp": "2026-02-28T00:00:00.000Z",
  "oldest_answer": "2024-02-29T23:59:59.999Z",
  "exchanges": [{
    "id": "exchange-1",
    "prompt": { "text": "", "hash": "sha256-${'0'.repeat(64)}", "metadata": { "model": "m" } },
    "response": {
      "text": "", "reasoning": "", "tool_calls": [{ "tool_name": "", "parameters": null, "result": 1 }],
      "finish_reasons": ["stop"], "error": "", "incomplete": true, "duration_ms": 0, "kept": true,
      "usage": { "input_tokens": 0, "output_tokens": 1, "cache_read_input_tokens": 2,
        "cache_creation_input_tokens": 3, "reasoning_output_tokens": 4 } },
    "wire": {
      "request": { "method": "POST", "url": "https://example.com/v1/x", "layout": {}, "eol": "\\n", "body": {} },
      "response": {
        "status": 200, "headers": { "content-type": "text/plain", "retry-after": "1" }, "hash": "sha256-${'0'.repeat(32)}",
        "layout": { "indent": 2, "spacedItems": true, "spacedKeys": true, "ascii": true, "pad": 1, "end": "\\n" },
        "eol": "\\r\\n", "body": [], "cut": true } } }] }`

/** What stands at places where something else is meant. */
const VALUES = `[null, true, false, -1, 0, 1, 1.0, 1.5, 16, 17, 199, 204, 599, 600, 1001, 1e400, "", " ", "\\n", "a", "POST", "post",
  "1.0", "1.9", "2.0", "sha256-", "sha256-${'0'.repeat(32)}", "sha256-${'0'.repeat(64)}", "sha256-${'g'.repeat(64)}",
  "2026-02-30T00:00:00.000Z", "2023-02-29T00:00:00.000Z", "2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000+01:00",
  "+012026-01-01T00:00:00.000Z", "http://", "ftp://example.com", "wss://example.com/v1", "http://[", " https://example.com",
  "stop\\r\\nset-cookie: a", "ü", "💥", [], [null], ["a"], [1], [[]], {}, { "a": 1 }, { "text": "a" }, { "content-type": 1 },
  { "set-cookie": "a" }, { "indent": 0 }, { "indent": 17 }, { "pad": 0 }, { "end": "a" }, { "tool_name": "a" }, { "input_tokens": -1 },
  { "reason": "a", "since": "2026-01-01T00:00:00.000Z" }]`

type Place = { parent: Record<string, JsonValue>; key: string }

function placesIn(value: JsonValue): Place[] {
  if (!Array.isArray(value) && !isJsonObject(value)) return []
  const parent = value as Record<string, JsonValue>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key]!)])
}

test('what was recorded is recognised, with all the fields that it can have', () => {
  for (const text of [...texts, FULL]) {
    expect(parseCassette(text)).toBeDefined()
    expect(recognizeCassette(text)).toEqual(parseCassette(text))
  }
})

test('the cassettes of the examples are recognised, whoever wrote them', () => {
  const folder = fileURLToPath(new URL('../../examples', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /__recordings__.*\.json$/.test(file) && !/node_modules|blobs/.test(file),
  )
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect(recognizeCassette(text), file).toEqual(parseCassette(text))
  }
})

test('what is recognised is a cassette by the schema too, whatever stands wherever', () => {
  const values = parseJson(VALUES) as JsonValue[]
  let recognized = 0
  let valid = 0
  const judge = (root: JsonValue): void => {
    const text = JSON.stringify(root)
    const isValid = cassetteSchema.safeParse(parseJson(text)).success
    expect(isCassette(parseJson(text)), text).toBe(isValid)
    if (isValid) valid++
    if (!recognizeCassette(text)) return
    recognized++
    expect(isValid, text).toBe(true)
  }
  const root = parseJson(FULL)
  for (const { parent, key } of placesIn(root)) {
    const meant = parent[key]!
    for (const value of values) {
      parent[key] = value
      judge(root)
    }
    Reflect.deleteProperty(parent, key)
    judge(root)
    parent[key] = meant
    parent[`${key}?`] = meant
    judge(root)
    Reflect.deleteProperty(parent, `${key}?`)
  }
  // Else it would know nothing, or nothing would have changed.
  expect(recognized).toBeGreaterThan(300)
  expect(valid).toBe(recognized)
})

test('a layout is one by the schema where it is one here', () => {
  for (const value of parseJson(VALUES) as JsonValue[]) {
    expect(isJsonLayout(value), JSON.stringify(value)).toBe(jsonLayout.safeParse(value).success)
    for (const key of ['indent', 'spacedItems', 'spacedKeys', 'ascii', 'pad', 'end', 'other']) {
      const layout = { [key]: value }
      expect(isJsonLayout(layout), JSON.stringify(layout)).toBe(
        jsonLayout.safeParse(layout).success,
      )
    }
  }
})

/** A cassette of two exchanges that a person wrote. */
function written(...ids: [string, string]): string {
  const exchanges = ids.map(
    (id) => `{ ${id}"prompt": { "text": "a" }, "response": { "text": "b" } }`,
  )
  return `{ "version": "1.0", "conversation_id": "a", "timestamp": "2026-02-28T00:00:00.000Z",
    "exchanges": [${exchanges.join(', ')}] }`
}

test.each([
  ['parameters', FULL.replace('{', '{"params":{"a":"b"},')],
  ['a mark', FULL.replace('{', '{"invalid":{"reason":"a","since":"2026-01-01T00:00:00.000Z"},')],
  ['a socket', FULL.replace('"method"', '"after":"exchange-1","method"')],
  ['exchanges that a person wrote', written('', '"id": "b", ')],
])('a cassette with %s is recognised too', (_, text) => {
  expect(recognizeCassette(text)).toEqual(parseCassette(text))
})

test.each([
  ['text that is no JSON', '{'],
  ['a byte order mark', `\uFEFF${FULL}`],
  ['a list 2000 levels deep', FULL.replace('"body": {}', `"body": ${'['.repeat(2_000)}`)],
  ['two exchanges with one id', written('"id": "a", ', '"id": "a", ')],
  ['an id that another exchange has by its place', written('', '"id": "exchange-1", ')],
])('%s is for others to read', (_, text) => {
  expect(recognizeCassette(text)).toBeUndefined()
})
