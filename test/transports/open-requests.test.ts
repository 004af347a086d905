import { expect, onTestFinished, test, vi } from 'vitest'
import type { Attempt } from '../../src/attempt/attempt.ts'
import { listener } from '../../src/attempt/say.ts'
import {
  awaitRequests,
  closeRequest,
  closeWhenAnswered,
  hasOpen,
  markSent,
  openRequest,
  settleRequests,
} from '../../src/transports/open-requests.ts'
import { folderOf } from '../../src/transports/reports.ts'

let order = 0

/** Opens a request of its own, and says which it is. */
function open() {
  const mine = ++order
  const request = openRequest(undefined, mine, 'POST http://127.0.0.1/v1/chat/completions')!
  onTestFinished(() => closeRequest(request))
  return { request, isMine: (other: { order: number }) => other.order === mine }
}

test('a request is open until it is answered', async () => {
  const { request, isMine } = open()
  expect(hasOpen(isMine)).toBe(true)
  expect(hasOpen(() => false)).toBe(false)
  await closeWhenAnswered(request, Promise.resolve('an answer'))
  expect(hasOpen(isMine)).toBe(false)
})

test('a request that cannot be answered is open until it failed', async () => {
  const { request, isMine } = open()
  await expect(closeWhenAnswered(request, Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(hasOpen(isMine)).toBe(false)
})

test('what a recording asks itself is never open', () => {
  expect(openRequest('upstream', ++order, 'POST http://127.0.0.1/')).toBeUndefined()
})

test('whoever waits goes on when the last is answered', async () => {
  const [one, other] = [open(), open()]
  const settled = settleRequests((request) => one.isMine(request) || other.isMine(request))
  closeRequest(one.request)
  markSent(other.request)
  await Promise.resolve()
  closeRequest(other.request)
  expect(await settled).toEqual([])
})

test('what is not sent is waited for by the real clock, timers faked or not, and not for ever', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { request, isMine } = open()
  expect(await settleRequests(isMine)).toEqual([request])
})

test('what is sent is waited for as long as its answer takes', async () => {
  const { request, isMine } = open()
  markSent(request)
  setTimeout(() => closeRequest(request), 2_300)
  expect(await settleRequests(isMine)).toEqual([])
})

test('a worker prints nothing, since a suite can forbid it: the run says what is to be said', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const meta: NonNullable<typeof listener.meta> = {}
  listener.meta = meta
  onTestFinished(() => {
    listener.meta = undefined
    warn.mockRestore()
  })
  const attempt = { reject: vi.fn() } as unknown as Attempt
  const request = openRequest(attempt, ++order, 'POST http://127.0.0.1/v1/begun')!
  onTestFinished(() => closeRequest(request))
  folderOf(attempt, () => ({ path: '', take: () => [{ text: 'first' }, { text: 'second' }] }))
  await awaitRequests(attempt)
  expect(meta.said).toEqual([
    expect.stringContaining('/v1/begun'),
    expect.stringMatching(/ second$/),
  ])
  expect(warn).not.toHaveBeenCalled()
})
