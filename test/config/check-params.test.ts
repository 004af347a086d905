import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { addParams } from '../../src/config/check-params.ts'
import { expectGolden, failuresOf } from '../golden.ts'

const refused = [
  [{ id: '1' }, 'id is "1"'],
  [{ id: 'a' }, 'id is "a"'],
  [{ id: 471 }, 'id is 471'],
  [{ role: 'user' }, 'role is "user"'],
  [{ id: '{{x}}' }, 'id is "{{x}}"'],
  [{ id: ' 4711' }, 'id begins'],
  [{ 'order-id': 'A-17' }, '"order-id" is'],
  [{ id: Number.NaN }, 'id is '],
  [{ id: undefined }, 'id is '],
  [{ one: '4711', two: 4711 }, 'one and two are both 4711'],
] as const

test.for(refused)('%j is refused', ([values, named]) => {
  expect(() => addParams({}, values as never)).toThrow(named)
})

test('each refused value of a parameter has a reason', async () => {
  const rows = refused.map(
    ([values]) => [inspect(values), () => addParams({}, values as never)] as const,
  )
  await expectGolden(await failuresOf(rows), 'refused-values')
})

test('declarations add up, and do not contradict each other', () => {
  const before = addParams({}, { id: 'A-17' })
  expect(addParams(before, { id: 'A-17', name: 'Ada' })).toEqual({ id: 'A-17', name: 'Ada' })
  expect(() => addParams(before, { id: 'B-18' })).toThrow('id is "A-17" already')
  expect(() => addParams(before, { other: 'A-17' })).toThrow('id and other are both "A-17"')
})
