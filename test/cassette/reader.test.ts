import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { cassetteSchema } from '../../src/cassette/format/schema.ts'
import { isCassette } from '../../src/cassette/format/is-cassette.ts'
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

/** A cassette with every member that one can have, each with a value that it can have. */
const FULL = `{
  "$schema": "x", "version": "2.0", "conversation_id": "a", "params": { "city": "Rome", "n": 1 },
  "exchanges": [{
    "id": "exchange-1", "sample": 2, "part": "judge",
    "prompt": { "text": ["a\\n", "b"], "hash": "sha256-${'0'.repeat(64)}", "metadata": { "model": "m" } },
    "request": {
      "method": "POST", "url": { "$join": ["https://example.com/", { "$": "prompt" }] }, "headers": { "accept": "audio/mpeg" },
      "imported": { "from": "nock", "unknown": ["host"], "respelled": true, "redacted": ["abc"] },
      "layout": {}, "eol": "\\n", "as_sent": "{ }", "body": {} },
    "response": {
      "text": "", "reasoning": ["a"], "tool_calls": [{ "tool_name": "", "parameters": null, "result": 1 }],
      "finish_reasons": ["stop"], "error": "", "status": 429, "incomplete": true, "kept": true, "mocked": true, "duration_ms": 0,
      "usage": { "input_tokens": 0, "output_tokens": 1, "cache_read_input_tokens": 2,
        "cache_creation_input_tokens": 3, "reasoning_output_tokens": 4 },
      "sent": {
        "status": 200, "headers": { "content-type": "text/plain", "retry-after": ["1", "2"] }, "renewed": ["a", 1],
        "layout": { "indent": 2, "spaced": true, "ascii": true, "end": "\\n" },
        "eol": "\\r\\n", "named": true, "events": ["[DONE]"], "cut": true, "aborted": 1 } } }],
  "timestamp": "2026-02-28T00:00:00.000Z", "oldest_answer": "2024-02-29T23:59:59.999Z", "rules": [1, "uuid"],
  "hashes": ["..${'a'.repeat(22)}"], "seal": "${'b'.repeat(43)}" }`

/** What stands at places where something else is meant. */
const VALUES = `[null, true, false, -1, 0, 1, 1.0, 1.5, 9, 199, 204, 399, 599, 600, 1001, 1e400, "", " ", "\\n", "a", "a.b", "POST", "PO ST",
  "1.0", "1.9", "2.0", "2.1", "3.0", "2", "sha256-", "sha256-${'0'.repeat(64)}", "..", "...", "${'a'.repeat(22)}..", "${'b'.repeat(43)}", "${'b'.repeat(44)}",
  "2026-02-30T00:00:00.000Z", "2023-02-29T00:00:00.000Z", "2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000+01:00",
  "+012026-01-01T00:00:00.000Z", "before-headers", "host", "headers", "https://example.com", " https://example.com",
  "stop\\r\\nset-cookie: a", "ü", "💥", [], [null], ["a"], [1], [[]], {}, { "a": 1 }, { "a": "b" }, { "$": "prompt" }, { "text": "a" },
  { "content-type": 1 }, { "accept": "a" }, { "authorization": "a" }, { "set-cookie": "a" }, { "indent": 0 }, { "indent": 9 }, { "indent": 8 }, { "pad": 1 },
  { "end": "a" }, { "tool_name": "a" }, { "input_tokens": -1 }, { "from": "nock" }, { "from": "NOCK" },
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
    // In version 1 only a person wrote exchanges.
    if (isValid && /"version":"2/.test(text)) valid++
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

/** A cassette of two exchanges that a person wrote. */
function written(...ids: [string, string]): string {
  const exchanges = ids.map(
    (id) => `{ ${id}"prompt": { "text": "a" }, "response": { "text": "b" } }`,
  )
  return `{ "version": "1.0", "conversation_id": "a", "timestamp": "2026-02-28T00:00:00.000Z",
    "exchanges": [${exchanges.join(', ')}] }`
}

test.each([
  ['proposed parameters', FULL.replace('{', '{"proposed_params":{"a":"b"},')],
  ['a mark', FULL.replace('{', '{"invalid":{"reason":"a","since":"2026-01-01T00:00:00.000Z"},')],
  ['a socket', FULL.replace('"method"', '"after":"exchange-1","method"')],
  ['a later minor version', FULL.replace('"2.0"', '"2.7"')],
  ['a byte order mark', `\uFEFF${FULL}`],
  ['exchanges that a person wrote', written('', '"id": "b", ')],
])('a cassette with %s is recognised too', (_, text) => {
  expect(recognizeCassette(text)).toEqual(parseCassette(text))
})

test.each([
  ['text that is no JSON', '{'],
  ['a list 2000 levels deep', FULL.replace('"body": {}', `"body": ${'['.repeat(2_000)}`)],
  ['a member twice in one object', FULL.replace('"method"', '"method":"POST","method"')],
  ['two bodies', FULL.replace('"as_sent"', '"text":"a","as_sent"')],
  ['recorded exchanges, and another version', FULL.replace('"2.0"', '"1.3"')],
  ['two exchanges with one id', written('"id": "a", ', '"id": "a", ')],
  ['an id that another exchange has by its place', written('', '"id": "exchange-1", ')],
])('%s is for others to read', (_, text) => {
  expect(recognizeCassette(text)).toBeUndefined()
})
