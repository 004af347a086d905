import { AsyncResource } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, test } from 'vitest'
import { answerTo, ask, begin, end } from './calls.ts'

test('setImmediate', () => {
  setImmediate(() => ask('setImmediate'))
})

test('nextTick', () => {
  process.nextTick(() => ask('nextTick'))
})

test('setTimeout', () => {
  setTimeout(() => end(begin(), 'setTimeout'), 0)
  setTimeout(() => ask('setTimeout of 50 ms'), 50)
})

let attempts = 0
test('retried', { retry: 1 }, async () => {
  const attempt = ++attempts
  if (attempt === 1) setTimeout(() => ask(`attempt ${attempt}`), 5)
  if (attempt === 1) throw new Error('once more')
  await answerTo(`attempt ${attempt}`)
  await delay(20)
})

let tries = 0
test('timed out', { timeout: 20, retry: 1 }, async () => {
  if (++tries === 2) return
  await delay(60)
  ask('timed out')
})

test('skipped', ({ skip }) => {
  setTimeout(() => ask('skipped'), 5)
  skip()
})

let askLater = (): void => {}

test('kept for later', () => {
  askLater = AsyncResource.bind(() => ask('kept for later'))
})

test('waits', () => delay(100))

afterAll(() => askLater())

describe('the last', () => {
  test('one', () => {
    setImmediate(() => ask('the last one'))
  })
})
