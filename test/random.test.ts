import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { randomNumbers } from './random.ts'

const take = (random: () => number): number[] => Array.from({ length: 50 }, random)

test('random numbers are the same for the same seed, test and name, and between 0 and 1', () => {
  const numbers = take(randomNumbers())
  expect(take(randomNumbers())).toEqual(numbers)
  expect(take(randomNumbers('other'))).not.toEqual(numbers)
  expect(new Set(numbers).size).toBe(50)
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
})

test('a property that fails names the seed of the run, and the command that tries the same again', () => {
  const values: number[][] = [[], []]
  for (const seen of values)
    expect(() => fc.assert(fc.property(fc.nat(), (value) => seen.push(value) < 3))).toThrow(
      `npx vitest run --mode night --sequence.seed=${inject('seed')} test/random.test.ts`,
    )
  expect(values[0]!.slice(0, 3)).toEqual(values[1]!.slice(0, 3))
})
