import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, describe, onTestFinished, test, vi } from 'vitest'
import { answerTo, ask, begin, end } from './calls.ts'

beforeAll(() => ask('before all'))

test('fetch', () => ask('fetch'))

test('a request', () => end(begin(), 'a request'))

test('a body that follows', () => {
  const client = begin()
  setTimeout(() => end(client, 'a body that follows'), 50)
})

test('a body in pieces', () => {
  const client = begin()
  client.write(' ')
  setTimeout(() => client.write(' '), 30)
  setTimeout(() => end(client, 'a body in pieces'), 60)
})

test('a microtask', () => queueMicrotask(() => ask('a microtask')))

test('a hook at the end', () => {
  onTestFinished(() => ask('a hook at the end'))
})

describe('with afterEach', () => {
  afterEach(() => ask('after each'))
  test('asks there', () => {})
})

test('fake timers', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  // What undici waits for on its own sockets, they hold up.
  if (!fetch.name.startsWith('bound')) ask('fake timers')
  end(begin(), 'fake timers, too')
})

test('a request that is given up', () => {
  begin().destroy()
})

test('a test after an answer', async () => {
  await answerTo('first')
  ask('second')
})

let attempts = 0
test('retried', { retry: 1 }, async () => {
  ask(`attempt ${++attempts}`)
  if (attempts === 1) throw new Error('once more')
  await delay(20)
})

describe.concurrent('side by side', () => {
  test.for(['one', 'two', 'three'])('%s', async (name) => {
    await delay(5)
    ask(name)
  })
})
