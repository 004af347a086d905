import { afterAll, test } from 'vitest'
import { ask } from './calls.ts'

test('asks nothing', () => {})

afterAll(() => {
  setImmediate(() => ask('after the file'))
})
