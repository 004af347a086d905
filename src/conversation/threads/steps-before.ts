import type { LinkedStep } from './link-threads.ts'
import type { Step } from './step.ts'

/** What a step goes on from, the nearest first. */
export function stepsBefore<S extends Step>(linked: LinkedStep<S>): S[] {
  const steps: S[] = []
  for (let { before } = linked; before; { before } = before) steps.push(before.step)
  return steps
}
