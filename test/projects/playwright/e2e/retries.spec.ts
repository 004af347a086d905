/* oxlint-disable no-empty-pattern -- Playwright reads from the parameters which fixtures a test needs */
import { expect, test } from 'vitest-cassette/playwright'

test.skip(!process.env.RETRIES)

test('skips before it asks', async ({ request }, info) => {
  test.skip(info.retry > 0)
  await request.get('/ask?q=Skip')
})

test('skips after it asked', async ({ request }, info) => {
  await request.get('/ask?q=Skip')
  test.skip(info.retry > 0)
})

test('is to be fixed', async ({ request }, info) => {
  if (info.retry > 0) test.fixme()
  await request.get('/ask?q=Fix')
})

test('is skipped at the last of its attempts', async ({ request }, info) => {
  if (info.retry === 0) await request.get('/ask?q=Last')
  test.skip(info.retry === info.project.retries)
  expect(info.retry).toBe(-1)
})

test('should fail, and fails without asking', async ({ request }, info) => {
  if (info.retry > 0) {
    test.fail()
    expect(info.retry).toBe(0)
  }
  await request.get('/ask?q=Fail')
})

test.describe('in a hook', () => {
  test.beforeEach(({}, info) => test.skip(info.retry > 0))

  test('skips', async ({ request }) => {
    await request.get('/ask?q=Hook')
  })
})

test.describe('by a condition', () => {
  test.skip(({ browserName }) => browserName === 'chromium' && test.info().retry > 0)

  test('skips', async ({ request }) => {
    await request.get('/ask?q=Condition')
  })
})

test.describe('in a hook of all', () => {
  test.beforeAll(({}, info) => test.skip(info.retry > 0))

  test('skips', async ({ request }) => {
    await request.get('/ask?q=Before')
  })
})

test.describe('with more retries', () => {
  test.describe.configure({ retries: 2 })

  test('skips in the end', async ({ request }, info) => {
    if (info.retry === 0) await request.get('/ask?q=More')
    test.skip(info.retry === 2)
    expect(info.retry).toBe(2)
  })
})

test.describe('one after the other', () => {
  test.describe.configure({ mode: 'serial' })

  test('asks', async ({ request }) => {
    await request.get('/ask?q=First')
  })

  test('skips', async ({ request }, info) => {
    test.skip(info.retry > 0)
    await request.get('/ask?q=Second')
  })
})

test.describe('all of a series', () => {
  test.describe.configure({ mode: 'serial' })
  test.beforeEach(({}, info) => test.skip(info.retry > 0))

  test('skips', async ({ request }) => {
    await request.get('/ask?q=All')
  })

  test('skips too', async () => {})
})

test('passes when it is tried again', ({}, info) => {
  expect(info.retry).toBe(1)
})

test('skips when it is tried again, and asks nothing', ({}, info) => {
  test.skip(info.retry > 0)
  expect(info.retry).toBe(1)
})
