import { expect, test } from 'vitest'
import { explainUnknown, sumUsage } from '../../src/conversation/cost.ts'

test('models without a price are named, however many and long their names in a cassette are', () => {
  const named = (unknownModels: string[]): string =>
    explainUnknown({ ...sumUsage([]), unpriced: 2, unknownModels }).join()
  expect(named(['a', 'b\u001b[2J'])).toBe(
    'The cost of 2 exchanges is unknown. No price of: a, b<U+001B>[2J.',
  )
  const many = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(10_000)}`)
  expect(named(many).length).toBeLessThan(2_000)
  expect(named(many)).toMatch(/0x+…, 1x+…, .* and 980 more\.$/)
})
