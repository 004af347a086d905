import type { Thread } from './link-threads.ts'
import type { Step } from './step.ts'

/** What a step of a thread goes on from, the first step of the conversation first; branches go on from their trunk. */
export function stepsBefore<S extends Step>(
  threads: ReadonlyArray<Thread<S>>,
  { branchOf, steps }: Thread<S>,
  index: number,
): S[] {
  const own = steps.slice(0, index).map(({ step }) => step)
  const trunk = branchOf && threads.find(({ id }) => id === branchOf.thread)
  return trunk ? [...stepsBefore(threads, trunk, branchOf.step), ...own] : own
}
