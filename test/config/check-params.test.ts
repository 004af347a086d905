import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { addParams } from '../../src/config/check-params.ts'
import { expectGolden, failuresOf } from '../golden.ts'

const refused = [
  [{ id: '1' }, / id .*"1"/],
  [{ id: 'a' }, / id .*"a"/],
  [{ id: 471 }, / id .*471/],
  [{ role: 'user' }, / role .*"user"/],
  [{ id: '{{x}}' }, / id .*"\{\{x\}\}"/],
  [{ id: ' 4711' }, / id /],
  [{ 'order-id': 'A-17' }, / "order-id" /],
  [{ id: Number.NaN }, / id /],
  [{ id: undefined }, / id /],
  [{ one: '4711', two: 4711 }, / one .* two .*4711/],
] as const

test.for(refused)('%j is refused', ([values, named]) => {
  expect(() => addParams({}, values as never)).toThrow(named)
})

test('each refused value of a parameter has a reason', async () => {
  const rows = refused.map(
    ([values]) => [inspect(values), () => addParams({}, values as never)] as const,
  )
  const another = () => addParams({ id: 'A-17' }, { id: 'B-18' })
  const failures = await failuresOf([...rows, ['another value of one parameter', another]])
  await expectGolden(failures, 'refused-values')
})

test('declarations add up, and do not contradict each other', () => {
  const before = addParams({}, { id: 'A-17' })
  expect(addParams(before, { id: 'A-17', name: 'Ada' })).toEqual({ id: 'A-17', name: 'Ada' })
  expect(() => addParams(before, { id: 'B-18' })).toThrow(/ id .*"A-17"/)
  expect(() => addParams(before, { other: 'A-17' })).toThrow(/ id .* other .*"A-17"/)
})
