import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffFields } from '../../src/diff/diff-json.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { CALLS } from '../../src/providers/compared-parts.ts'
import { hashBase64, markOfBase64 } from '../../src/prompt/base64.ts'
import { canonicalBody } from '../../src/prompt/canonical.ts'
import { sha256 } from '../../src/prompt/sha256.ts'
import { anyJson } from './prompt-arbitrary.ts'
import { renderChanges, summarizeChange } from './as-shown.ts'

function summariesOf(recorded: JsonValue, received: JsonValue, at?: string): string[] {
  return diffFields(recorded, received, at).map(summarizeChange)
}

test('fields that changed are named by their path', () => {
  const recorded = { method: 'POST', query: ['v=1'], body: { a: { b: [1, 2, 3] }, gone: null } }
  const received = { method: 'PUT', query: ['v=2'], body: { a: { b: [1, 5, 3] }, 'odd key': {} } }
  expect(summariesOf(recorded, received)).toEqual([
    'method: POST → PUT',
    'query[0]: v=1 → v=2',
    'body.a.b[1]: 2 → 5',
    'body["odd key"]: added',
    'body.gone: removed',
  ])
})

test('fields come in the order of what was sent now, whatever their order in the recording', () => {
  const recorded = { a: 1, m: { x: 1, y: 1 }, z: 1 }
  const received = { z: 2, m: { y: 2, x: 2 }, a: 2 }
  const paths = ['z: 1 → 2', 'm.y: 1 → 2', 'm.x: 1 → 2', 'a: 1 → 2']
  expect(summariesOf(recorded, received)).toEqual(paths)
})

const sent = { kind: 'b', body: { size: 1, color: 'red', all: [{ to: 1, from: 2 }] } }
const stored = { body: { all: [{ from: 2, to: 1 }], color: 'red', size: 1 }, kind: 'b' }

test('objects whose keys stand in another order do not differ', () => {
  expect(diffFields({ list: [stored] }, { list: [sent] })).toEqual([])
})

test.for<[name: string, recorded: JsonValue, received: JsonValue]>([
  ['a value of another type', { at: [stored] }, { at: { first: sent } }],
  ['many items', { at: manyOf(stored) }, { at: [...manyOf(sent), { kind: 'c' }] }],
  ['many changed items', { at: manyOf(stored) }, { at: manyOf({ ...sent, kind: 'c' }) }],
])(
  'of values that are shown whole, keys in another order are no change: %s',
  ([, old, current]) => {
    const shown = renderChanges(diffFields(old, current), { color: false })
    expect(shown).not.toContain('"color": "red", "size"')
    expect(shown).not.toContain('"from": 2, "to"')
  },
)

function manyOf(value: JsonValue): JsonValue[] {
  return Array.from({ length: 60 }, () => value)
}

test('the properties of a schema stay as they are, since their order counts', () => {
  const schema = (...names: string[]): JsonValue => ({
    properties: Object.fromEntries(names.map((name) => [name, 1])),
  })
  const changes = diffFields({ at: [schema('b', 'a')] }, { at: schema('a', 'b') })
  const shown = renderChanges(changes, { color: false })
  expect(shown).toContain('- [-[-]{"properties": {"[-b-]": 1, "[-a-]": 1}}[-]-]')
  expect(shown).toContain('+ {"properties": {"{+a+}": 1, "{+b+}": 1}}')
})

test('a picture in the result of a tool is one change, and what resembles one is read field by field', () => {
  const picture = (hash: string, size: number): JsonValue => [
    { type: 'blob', mimeType: 'image/png', hash: hash.repeat(64), size },
  ]
  const changes = diffFields(picture('a', 13_057), picture('b', 12_180), 'result')
  expect(changes.map(({ place }) => place)).toEqual([{ area: 'field', path: 'result[0]' }])
  const shown = renderChanges(changes, { color: false })
  expect(shown).toContain('- image/png, [-13,057-] bytes, sha256 [-aaaaaaaaaaaa-]')
  expect(shown).toContain('+ image/png, {+12,180+} bytes, sha256 {+bbbbbbbbbbbb+}')
  const own = (id: number): JsonValue => ({ type: 'blob', hash: 'a'.repeat(64), size: 1, id })
  expect(summariesOf(own(1), own(2))).toEqual(['id: 1 → 2'])
})

test('paths continue the one that leads to the values', () => {
  expect(summariesOf({ a: 1 }, { a: 2 }, 'body')).toEqual(['body.a: 1 → 2'])
  expect(summariesOf([1], [2], 'body.list')).toEqual(['body.list[0]: 1 → 2'])
  expect(summariesOf(1, 2)).toEqual(['request: 1 → 2'])
})

test('a key that is a path, as dialects name what they keep of a deeper place, is one', () => {
  const kept = (cache: JsonValue): JsonValue => ({ 'content[0].cache_control': cache })
  expect(summariesOf(kept({ type: 'ephemeral' }), kept({ type: 'ephemeral', ttl: '1h' }))).toEqual([
    'content[0].cache_control.ttl: added',
  ])
})

test('an item inserted into an array is one change', () => {
  expect(summariesOf([1, 2, 3, 4], [1, 9, 2, 3, 4], 'list')).toEqual(['list[1]: added'])
})

test('an item inserted beside an edited one leaves the edit small', () => {
  const recorded = [{ name: 'order number', type: 'string' }]
  const received = [
    { name: 'city', type: 'null' },
    { name: 'order number', type: 'number' },
  ]
  expect(summariesOf(recorded, received, 'anyOf')).toEqual([
    'anyOf[0]: added',
    'anyOf[1].type: string → number',
  ])
})

test('null is not absent, and text is not a number', () => {
  expect(summariesOf({ a: null }, {})).toEqual(['a: removed'])
  expect(summariesOf({ a: '5' }, { a: 5 })).toEqual(['a: "5" → 5'])
  expect(summariesOf({ a: '' }, { a: null })).toEqual(['a: "" → null'])
})

test('thousands of changed items are one change', () => {
  const list = (offset: number): number[] =>
    Array.from({ length: 5_000 }, (_, at) => at * 2 + offset)
  expect(diffFields({ input: list(0) }, { input: list(1) })).toMatchObject([
    { kind: 'edited', place: { path: 'input[0…4999]' } },
  ])
})

test('what the canonical form replaced reads as what it stands for', () => {
  const hashOf = (letter: string): string => sha256(letter.repeat(2_000)).slice(0, 12)
  const image = (letter: string): string => `data:image/png;base64,${letter.repeat(2_000)}`
  const replace = (text: string): string | undefined => {
    const found = hashBase64(text)
    return found && markOfBase64(found)
  }
  const recorded = canonicalBody(
    {
      image: image('A'),
      messages: [{ tool_call_id: 'x' }],
      text: '\u0000x',
    },
    { calls: CALLS, replace },
  )
  const received = canonicalBody(
    {
      image: image('B'),
      messages: [{ tool_call_id: 'x' }, { tool_call_id: 'y' }],
      text: '\u0000y',
    },
    { calls: CALLS, replace },
  )
  const text = renderChanges(diffFields(recorded, received), { color: false })
  expect(text).toBe(
    [
      '  image',
      `    - (image/png, sha256 [-${hashOf('A')}-])`,
      `    + (image/png, sha256 {+${hashOf('B')}+})`,
      '  messages[1]',
      '    + {"tool_call_id": (call 2)}',
      '  text',
      '    - <U+0000>x',
      '    + <U+0000>y',
    ].join('\n'),
  )
})

test('numbers beyond doubles show their digits', () => {
  const [recorded, received] = ['\u0000number:9007199254740993', '\u0000number:9007199254740995']
  expect(summariesOf({ seed: recorded }, { seed: received })).toEqual([
    'seed: 9007199254740993 → 9007199254740995',
  ])
})

test('different values never have an empty list, equal ones always do', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (one, other) => {
      const areEqual = JSON.stringify(canonicalBody(one)) === JSON.stringify(canonicalBody(other))
      expect(diffFields(one, other).length === 0).toBe(areEqual)
      expect(diffFields(one, structuredClone(one))).toEqual([])
    }),
    { numRuns: 500 },
  )
})
