import { afterEach, test, vi } from 'vitest'
import { clients } from './clients.ts'

/** When timers are faked, and how many calls are made at once: `r` real, `f` fake, `2` two of them. */
const plans = ['rff', 'rrff', 'r2f2f', 'f2rf2']

afterEach(() => void vi.useRealTimers())

for (const [name, ask] of Object.entries(clients)) {
  if (name === 'xhr' && !globalThis.XMLHttpRequest) continue
  test.each(plans)(`${name}: %s`, async (plan) => {
    for (const [, timers, count] of plan.matchAll(/([rf])(\d?)/g)) {
      if (timers === 'f') vi.useFakeTimers()
      else vi.useRealTimers()
      const calls = Array.from({ length: Number(count || 1) }, (_, at) => ask(`${plan} ${at}`))
      await Promise.all(calls)
    }
  })
}
