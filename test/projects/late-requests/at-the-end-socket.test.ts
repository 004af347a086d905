import { afterAll, test } from 'vitest'
import { roads } from './roads.ts'

test('asks nothing', () => {})

afterAll(() => {
  setImmediate(() => roads.ws!('a socket after the file'))
})
