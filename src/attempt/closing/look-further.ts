import type { Miss } from '../../engine/session-contract.ts'
import { captureCallSite } from '../../errors.ts'
import { nextTurn } from '../../real/clock.ts'

/**
 * Adds a second stack to the place of a request that nothing answers, taken a turn later: V8 sees no further than a
 * function that returns a promise without `await`, until that promise is taken over.
 */
export async function lookFurther({ callSite, reason }: Miss): Promise<void> {
  if (!callSite || reason === 'closed') return
  await nextTurn()
  callSite.cause ??= captureCallSite(callSite.message)
}
