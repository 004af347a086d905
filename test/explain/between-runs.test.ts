import { expect, test } from 'vitest'
import { differencesBetween } from '../../src/explain/between-runs.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'

const said = (content: string, more: JsonObject = {}): JsonValue => ({
  method: 'POST',
  path: '/v1/chat/completions',
  body: { model: 'gpt-5', messages: [{ role: 'user', content }], ...more },
})

/** The places that differ, the values, and the rules for them. */
function between(one: JsonValue[], other: JsonValue[]): string[] {
  return differencesBetween(one, other).map(
    ({ place, one, other, rule }) => `${place}: ${one} → ${other}${rule ? `  ${rule}` : ''}`,
  )
}

test('a value of a known kind is declared by its name, wherever it stands', () => {
  const [one, other] = ['V1StGXR8_Z5jdHi6B-myT', 'x9Rk_2vLq8-ZtY4mWb7Nc']
  expect(between([said(`Run ${one}.`)], [said(`Run ${other}.`)])).toEqual([
    `$.messages[0].content: ${one} → ${other}  'nanoid'`,
  ])
  const [then, now] = [1_763_751_000, 1_763_837_400].map((at) => said('a', { metadata: { at } }))
  expect(between([then!], [now!])).toEqual([
    "$.metadata.at: 1763751000 → 1763837400  '$.metadata.at'",
  ])
})

test('what no name recognises is declared by its path beside the conversation', () => {
  const run = (run: number): JsonValue => said('a', { metadata: { run } })
  expect(between([run(0.25)], [run(0.75)])).toEqual([
    "$.metadata.run: 0.25 → 0.75  '$.metadata.run'",
  ])
})

test('a word in a text is declared by what stands before it, and beside a known value too', () => {
  expect(between([said('This is try k3x of it')], [said('This is try zz1 of it')])).toEqual([
    `$.messages[0].content: k3x → zz1  /(?<=This is try )[^\\s"'<>,;]+\\b/`,
  ])
  const [first, second] = ['at 18:47, seed 0.25', 'at 18:48, seed 0.75'].map((text) => said(text))
  expect(between([first!], [second!])).toEqual([
    "$.messages[0].content: 18:47 → 18:48  'clock-time'",
    `$.messages[0].content: 0.25 → 0.75  /(?<=seed )[^\\s"'<>,;]+\\b/`,
  ])
})

test('a word that begins its line, or stands behind a short one, is declared by its shape', () => {
  expect(between([said('n515890: hi')], [said('n240572: hi')])).toEqual([
    '$.messages[0].content: n515890 → n240572  /\\bn\\d+\\b/',
  ])
  // Digits alone stand for too much, and other letters are another word.
  expect(between([said('515890: hi')], [said('240572: hi')])).toEqual([
    '$.messages[0].content: 515890 → 240572',
  ])
  expect(between([said('n515890: hi')], [said('m240572: hi')])).toEqual([
    '$.messages[0].content: n515890 → m240572',
  ])
})

test('a mark behind a word is none of it', () => {
  const [, pattern] = /  \/(.*)\/$/.exec(
    between([said('In Trace k3x9.')], [said('In Trace zz1q.')])[0]!,
  ) as unknown as [string, string]
  expect('In Trace k3x9. Go on (Trace a.b-c) now'.match(new RegExp(pattern, 'g'))).toEqual(['k3x9'])
})

test('what no rule could declare is listed without one', () => {
  expect(between([said('one two')], [said('three four')])).toEqual([
    '$.messages[0].content: one two → three four',
  ])
  const to = (path: string): JsonValue => ({ method: 'POST', path, body: {} })
  expect(between([to('/v1/runs/a1')], [to('/v1/runs/b2')])).toEqual([
    'path: /v1/runs/a1 → /v1/runs/b2',
  ])
  expect(between([said('a')], [said('a'), said('b')])).toEqual(['requests: 1 → 2'])
  const list = (...stop: string[]): JsonValue => said('a', { stop })
  expect(between([list('a')], [list('a', 'b')])).toEqual(['$.stop: 1 items → 2 items'])
})

test('the same requests in another order are the same', () => {
  expect(between([said('a'), said('b')], [said('b'), said('a')])).toEqual([])
  expect(between([said('a'), said('try x1')], [said('try y2'), said('a')])).toHaveLength(1)
})
