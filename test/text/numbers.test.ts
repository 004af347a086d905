import { expect, test } from 'vitest'
import { Numbers } from '../../src/text/numbers.ts'

test('one value is one number, by first appearance among those of its kind', () => {
  const numbers = new Numbers((kind) => (kind === 'late' ? 7 : 0))
  expect(['a', 'b', 'a'].map((value) => numbers.of(value))).toEqual([1, 2, 1])
  expect(['b', 'a', 'b'].map((value) => numbers.of(value, 'late'))).toEqual([8, 9, 8])
  expect(numbers.values()).toEqual(['a', 'b'])
  expect([numbers.has('a'), numbers.has('a', 'other')]).toEqual([true, false])
})
