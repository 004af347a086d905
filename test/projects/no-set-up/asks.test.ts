import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

test('asks', async () => {
  // As applications with a fallback do.
  const answer = await ask('Who is there?').catch(() => 'Nobody')
  expect(answer).toMatch(/Who is there\?|Nobody/)
})
