import { expect, test } from 'vitest-cassette/playwright'

test.skip(!process.env.LATE)

test('waits for what the server does after its response', async ({ request, cassette }) => {
  await request.get('/ask?q=After')
  await expect.poll(() => cassette.exchanges.length).toBe(1)
})
