import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ask } from './src/question'

const early = await ask('While it is imported', env)

test('goes on without an answer', () => {
  expect(early).toBe('Sorry, no answer')
})
