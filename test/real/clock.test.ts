import { expect, onTestFinished, test, vi } from 'vitest'
import { callLater, nextTurn, waitFor } from '../../src/real/clock.ts'

test('what waits here goes on while timers are fake', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  expect(await nextTurn()).toBe(undefined)
  expect(await waitFor(1)).toBe(undefined)
  const called = vi.fn<() => void>()
  callLater(1, called)
  await waitFor(20)
  expect(called).toHaveBeenCalledOnce()
})
