import { shared } from './shared.ts'

/** Taken when the set-up runs, before a test can put fake timers in its place. */
const timers = shared('timers', () => ({ setImmediate: globalThis.setImmediate }))

/** Waits for the next turn of the event loop, also where timers are fake. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void timers.setImmediate(resolve))
}
