import { test } from 'vitest-cassette/playwright'

test.skip(!process.env.SKIPS)

test('skips', async ({ request }) => {
  const response = await request.get('/ask?q=Skip')
  test.skip(!response.ok() || process.env.SKIPS === 'always', 'the provider is not available')
})

test('should fail and skips', async ({ request }) => {
  test.fail()
  await request.get('/ask?q=Fail')
  test.skip()
})

test('is to be fixed', async ({ request }) => {
  await request.get('/ask?q=Fix')
  test.fixme()
})

test.describe('in a hook', () => {
  test.afterEach(() => test.skip())

  test('skips', async ({ request }) => {
    await request.get('/ask?q=Hook')
  })
})
