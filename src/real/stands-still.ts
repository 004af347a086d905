import { nextTurn, timers } from './clock.ts'

/** What a fake keeps from ever running, of that by which Node's own clients go on; `undefined` where all goes on. */
export async function whatStandsStill(): Promise<string | undefined> {
  if (globalThis.queueMicrotask === timers.queueMicrotask && process.nextTick === timers.nextTick)
    return undefined
  const waiting = new Set(['queueMicrotask', 'process.nextTick'])
  globalThis.queueMicrotask(() => waiting.delete('queueMicrotask'))
  process.nextTick(() => waiting.delete('process.nextTick'))
  await nextTurn()
  return [...waiting].join(' and ') || undefined
}
