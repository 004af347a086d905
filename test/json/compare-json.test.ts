import { expect, test } from 'vitest'
import { compareJson, type OptionalJson } from '../../src/json/compare-json.ts'
import type { JsonValue } from '../../src/json/json-value.ts'

/** Compares two values with the defaults, and says what differs where. */
function differences(one: JsonValue, other: JsonValue): string[] {
  return compareJson<string, string>(one, other, '', { below, differ })
}

function below(place: string, key: string): string {
  return `${place}/${key}`
}

function differ(one: OptionalJson, other: OptionalJson, place: string): string[] {
  const [was, is] = [one, other].map((value) => JSON.stringify(value))
  return was === is ? [] : [`${place} ${was ?? 'nothing'} ${is ?? 'nothing'}`]
}

test('fields belong together by their names, first those of the first object', () => {
  expect(differences({ b: 1, a: { c: 1 } }, { d: 1, a: { c: 2 }, b: 1 })).toEqual([
    '/a/c 1 2',
    '/d nothing 1',
  ])
})

test('lists are compared as a whole, unless it is said which of their items belong together', () => {
  expect(differences({ a: [1, 2] }, { a: [1, 3] })).toEqual(['/a [1,2] [1,3]'])
  const found = compareJson<string, string>([1, [2]], [3, [4]], '', {
    below,
    differ,
    items: ([one], [other], place) => [{ one, other, place: `${place}/0` }],
  })
  expect(found).toEqual(['/0 1 3'])
})

test('two values that are a whole are not looked into', () => {
  const found = compareJson<string, string>([{ a: 1 }], [{ a: 2 }], '', {
    below,
    differ,
    items: ([one], [other]) => [{ one, other, place: '/0', isWhole: true }],
  })
  expect(found).toEqual(['/0 {"a":1} {"a":2}'])
})

test('what differs around the fields of two objects comes after them', () => {
  const found = compareJson<string, string>({ a: 1, b: 1 }, { b: 1, a: 2 }, '', {
    below,
    differ,
    around: (one, other, place) => [`${place} ${Object.keys(one)} ${Object.keys(other)}`],
  })
  expect(found).toEqual(['/a 1 2', ' a,b b,a'])
})

test('a key named __proto__ is a key like any other', () => {
  const one = JSON.parse('{ "__proto__": 1 }') as JsonValue
  expect(differences(one, {})).toEqual(['/__proto__ 1 nothing'])
})
