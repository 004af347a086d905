import { expectTypeOf, test } from 'vitest'

test('is a number', () => {
  expectTypeOf(1 as number).toBeNumber()
})
