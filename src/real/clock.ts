import { shared } from './shared.ts'

// Kept before a test can fake the time: the dates and durations of recordings are real ones.
const RealDate = Date
const ofProcess = performance
const { now } = ofProcess

/** The real time, whatever `vi.setSystemTime` says. */
export function realTime(): Date {
  return new RealDate()
}

/** Milliseconds since some time, as `performance.now()` counts them. */
export function realNow(): number {
  return now.call(ofProcess)
}

/** Taken when the set-up runs, before a test can put fake timers in their place. */
export const timers = shared('timers', () => {
  const { setImmediate, setTimeout, clearTimeout, queueMicrotask } = globalThis
  return { setImmediate, setTimeout, clearTimeout, queueMicrotask, nextTick: process.nextTick }
})

/** Waits for the next turn of the event loop, also where timers are fake. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void timers.setImmediate(resolve))
}

/** Waits for some milliseconds, also where timers are fake. */
export function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void timers.setTimeout(resolve, milliseconds))
}

/** Calls back after a while, unless the process ends before; returns what calls it off. */
export function callLater(milliseconds: number, callback: () => void): () => void {
  const timer: Partial<NodeJS.Timeout> = timers.setTimeout(callback, milliseconds)
  // That of a DOM is a number.
  timer.unref?.()
  return () => timers.clearTimeout(timer as NodeJS.Timeout)
}

/** True while a test has fake timers in the place of those that Node's own clients use. */
export function areTimersFaked(): boolean {
  return globalThis.setImmediate !== timers.setImmediate
}

/** A time that begins now, by the real clock. */
export function timeLimit(milliseconds: number): {
  over: Promise<void>
  isOver: boolean
  clear: () => void
} {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = timers.setTimeout(() => {
    limit.isOver = true
    resolve()
  }, milliseconds)
  const limit = { over: promise, isOver: false, clear: () => timers.clearTimeout(timer) }
  return limit
}
