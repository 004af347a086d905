import { describe, expect, test } from 'vitest'
import { ask } from '../ask.ts'

const cities = ['Rome', 'Oslo', 'Lima']

describe('concurrent tests', () => {
  for (const city of cities) {
    test.concurrent(`visits ${city}`, async () => {
      expect(await ask(`Where is ${city}?`)).toBe(`Odd: Where is ${city}?`)
      expect(await ask('uneven 0')).toBe('Odd: uneven 0')
      expect(await ask(`And how is ${city}?`)).toBe(`Odd: And how is ${city}?`)
    })
  }
})

describe.concurrent('concurrent suites', () => {
  for (const city of cities) {
    describe(city, () => {
      test('is seen', async () => {
        const answers = await Promise.all([ask(`What is in ${city}?`), ask('uneven 1')])
        expect(answers).toEqual([`Odd: What is in ${city}?`, 'Odd: uneven 1'])
      })
    })
  }
})
