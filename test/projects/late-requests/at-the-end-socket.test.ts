import { afterAll, test } from 'vitest'
import { transports } from './transports.ts'

test('asks nothing', () => {})

afterAll(() => {
  setImmediate(() => transports.ws!('a socket after the file'))
})
