import { expect, test } from 'vitest'
import { ask } from './ask.ts'

test.for([401, 403, 429, 500, 503, 404])('survives %i', async (status) => {
  const question = process.env.HEALTHY ? `healthy ${status}` : `status ${status}`
  const answer = await ask(question).catch((error: Error) => error.message)
  expect(answer).toContain(String(status))
})
