import { expect, test } from 'vitest'
import { dialects } from '../../src/providers/dialects.ts'
import { providerPaths } from '../../src/providers/provider-paths.ts'

test('every path belongs to a dialect', () => {
  const names = dialects.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(providerPaths)))
})
