import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../src/json/json-value.ts'
import { sortKeys } from '../../src/json/key-order.ts'
import { equal } from '../../src/json/walk.ts'

const same = (one: string, other: string): boolean => equal(parseJson(one), parseJson(other))

test.each([
  ['{"a":1,"b":[{"c":null}]}', '{"b":[{"c":null}],"a":1}', true],
  ['[1,2]', '[2,1]', false],
  ['[]', '{}', false],
  ['[1]', '{"0":1}', false],
  ['null', '{}', false],
  ['{"a":null}', '{}', false],
  ['{"a":1}', '{"b":1}', false],
  ['{"toString":1}', '{"a":1}', false],
  ['1.0', '1.0', true],
  ['1.0', '1', false],
  ['1.0', '{"rawJSON":"1.0"}', false],
  ['"1"', '1', false],
])('%s and %s: %s', (one, other, expected) => {
  expect([same(one, other), same(other, one)]).toEqual([expected, expected])
})

test('values are the same where their texts with sorted keys are', () => {
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, 1, 'a', 'b'),
      fc.array(tie('json'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'rawJSON'), tie('json'), { maxKeys: 2 }),
    ),
  }))
  const spell = (value: unknown): string => JSON.stringify(sortKeys(value as never))
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(equal(one as never, other as never)).toBe(spell(one) === spell(other))
      expect(equal(one as never, parseJson(spell(one)))).toBe(true)
    }),
  )
})
