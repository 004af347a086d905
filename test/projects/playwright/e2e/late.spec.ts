import { test } from 'vitest-cassette/playwright'

test.skip(!process.env.LATE)

test('does not wait', async ({ request }) => {
  await request.get('/ask?q=Too late')
})

test('comes next', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
})
