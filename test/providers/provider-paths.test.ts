import { expect, test } from 'vitest'
import { dialects } from '../../src/providers/dialects.ts'
import { PROVIDERS } from '../../src/providers/catalogue.ts'

test('every path belongs to a dialect', () => {
  const names = dialects.map(({ name }) => name)
  const paths = Object.values(PROVIDERS).flatMap(({ paths = {} }) => Object.keys(paths))
  expect(paths.length).toBeGreaterThan(0)
  expect(names).toEqual(expect.arrayContaining(paths))
})
