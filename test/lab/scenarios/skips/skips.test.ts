import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ask } from '../ask.ts'
import { edited } from '../changed.ts'

const WORD = edited('today', 'tomorrow')

type Skip = (note?: string) => never

/** As applications do whose tests run where there is a provider alone. */
async function askOrSkip(question: string, skip: Skip): Promise<void> {
  try {
    await ask(`${question} ${WORD}?`)
  } catch {
    skip('the provider is not available')
  }
}

test('skips', async ({ skip }) => {
  if (process.env.SKIPS) skip()
  await askOrSkip('Who skips', skip)
})

test.concurrent('skips beside others', async ({ skip }) => {
  await askOrSkip('Who skips beside others', skip)
})

test('skips when it has finished', async ({ skip }) => {
  let isAvailable = true
  onTestFinished(() => {
    if (!isAvailable) skip()
  })
  await ask(`Who skips at the end ${WORD}?`).catch(() => (isAvailable = false))
})

test.fails('is meant to fail and skips', async ({ skip }) => {
  await askOrSkip('Who fails', skip)
  throw new Error('as meant')
})

let attempts = 0
test('skips when it is tried again', { retry: 1 }, async ({ skip }) => {
  if (attempts++ > 0) skip()
  await ask(`Who retries ${WORD}?`)
})

let tries = 0
test('skips when it has failed otherwise', { retry: 2 }, async ({ skip }) => {
  if (tries++ === 0) await ask(`Who fails otherwise ${WORD}?`)
  else if (tries === 2) throw new Error('another reason')
  else skip()
})

let repetitions = 0
test('skips when it is repeated', { repeats: 1 }, async ({ skip }) => {
  if (repetitions++ > 0 && WORD !== 'today') skip()
  await ask(`Who repeats ${WORD}?`)
})

test('skips while it waits', async ({ skip }) => {
  await vi
    .waitFor(() => ask(`Who waits ${WORD}?`), { timeout: 50, interval: 10 })
    .catch(() => skip())
})

test('skips after an assertion', async ({ skip }) => {
  const answer = await ask(`Who asserts ${WORD}?`).catch(() => '')
  expect.soft(answer).toContain('Odd')
  if (answer === '') skip()
})

describe('hooks', () => {
  beforeEach(async ({ skip, task }) => {
    if (task.name.includes('before')) await askOrSkip('Who skips before', skip)
  })
  afterEach(async ({ skip, task }) => {
    if (task.name.includes('after')) await askOrSkip('Who skips after', skip)
  })
  test('skips before it runs', () => {})
  test('skips after it ran', () => {})
})

const inFixture = test.extend('client', async ({ skip }) => {
  await askOrSkip('Who skips in a fixture', skip)
})
inFixture('skips in a fixture', ({ client }) => {
  expect(client).toBeUndefined()
})

const atTheEnd = test.extend('client', async ({ skip }, { onCleanup }) => {
  let isAvailable = true
  onCleanup(() => {
    if (!isAvailable) skip()
  })
  await ask(`Who skips when a fixture ends ${WORD}?`).catch(() => (isAvailable = false))
})
describe('around', () => {
  atTheEnd.aroundEach(async (run, { client }) => {
    expect(client).not.toBe('')
    await run()
  })
  atTheEnd('skips when its fixture ends', () => {})
})
