import { expect, test } from 'vitest'
import type { VolatileRule } from '../../src/config/volatile-rule.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { canonicalBody } from '../../src/prompt/canonical.ts'

function canonical(body: JsonValue, ...rules: VolatileRule[]): string {
  return JSON.stringify(canonicalBody(body, rules))
}

test.for(['metadata.user_id', '$.metadata.user_id', 'metadata["user_id"]'.replaceAll('"', '')])(
  '13: what stands at a declared path (%s) may differ',
  (path) => {
    const body = (id: string): JsonValue => ({ metadata: { user_id: id }, model: 'gpt-5' })
    expect(canonical(body('a'), path)).toBe(canonical(body('b'), path))
    expect(canonical(body('a'))).not.toBe(canonical(body('b')))
  },
)

test('13: a path leaves everything beside it exact', () => {
  const rule = 'messages[*].id'
  const body = (id: string, text: string): JsonValue => ({ id, messages: [{ id, text }] })
  expect(canonical(body('a', 'x'), rule)).not.toBe(canonical(body('a', 'y'), rule))
  expect(canonical({ id: 'a', messages: [] }, rule)).not.toBe(
    canonical({ id: 'b', messages: [] }, rule),
  )
})

test('a volatile value that is missing is not one that differs', () => {
  expect(canonical({ a: { id: 'x' } }, 'a.id')).not.toBe(canonical({ a: {} }, 'a.id'))
})

function findDates(text: string): string[] {
  return text.match(/\d{4}-\d\d-\d\d/g) ?? []
}

test('what a function finds may differ, and keeps its identity', () => {
  const body = (one: string, other: string): JsonValue => [`from ${one} to ${other}`]
  const dates = (one: string, other: string): string => canonical(body(one, other), findDates)
  expect(dates('2026-01-01', '2026-01-02')).toBe(dates('2027-05-05', '2027-06-06'))
  expect(dates('2026-01-01', '2026-01-01')).not.toBe(dates('2026-01-01', '2026-01-02'))
  expect(dates('2026-01-01', 'today')).not.toBe(dates('2026-01-01', 'tomorrow'))
})

test('14: a function that returns nothing fails by its name', () => {
  function forgetsToReturn(): never {
    return undefined as never
  }
  expect(() => canonical(['text'], forgetsToReturn)).toThrow(/forgetsToReturn returned nothing/)
  expect(() => canonical(['text'], () => 'text' as never)).toThrow(
    /an unnamed function returned "text"/,
  )
})

test('14: a function that throws fails by its name', () => {
  function breaks(): never {
    throw new Error('broken')
  }
  expect(() => canonical(['text'], breaks)).toThrow(/breaks threw: Error: broken/)
})

test('a function that finds everything, or nothing at all, is no trap', () => {
  expect(canonical(['a', 'a'], (text) => [text])).not.toBe(canonical(['a', 'b'], (text) => [text]))
  expect(canonical(['a'], () => [''])).toBe(canonical(['a']))
})

test('a text that looks like a placeholder is none', () => {
  const placed = canonical(['2026-01-01'], findDates)
  expect(canonical([JSON.parse(placed)[0] as string])).not.toBe(placed)
})
