import { expect, test } from 'vitest'
import { addParams } from '../../src/config/check-params.ts'

test.for([
  [{ id: '1' }, 'id is "1", which stands in other places by chance'],
  [{ id: 'a' }, 'Choose a value of 3 characters or more (4 digits)'],
  [{ id: 471 }, 'id is 471, which stands'],
  [{ role: 'user' }, 'role is "user", which stands'],
  [{ id: '{{x}}' }, 'mark the place of a parameter'],
  [{ id: ' 4711' }, 'begins or ends with white space'],
  [{ 'order-id': 'A-17' }, '"order-id" is no name'],
  [{ id: Number.NaN }, 'id is neither a text nor a number'],
  [{ id: undefined }, 'id is neither a text nor a number'],
  [{ one: '4711', two: 4711 }, 'one and two are both 4711'],
] as const)('%j is refused', ([values, problem]) => {
  expect(() => addParams({}, values as never)).toThrow(problem)
})

test('declarations add up, and do not contradict each other', () => {
  const before = addParams({}, { id: 'A-17' })
  expect(addParams(before, { id: 'A-17', name: 'Ada' })).toEqual({ id: 'A-17', name: 'Ada' })
  expect(() => addParams(before, { id: 'B-18' })).toThrow('id is "A-17" already')
  expect(() => addParams(before, { other: 'A-17' })).toThrow('id and other are both "A-17"')
})
