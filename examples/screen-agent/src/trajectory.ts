import { isDeepStrictEqual } from 'node:util'
import type { Action } from './screen.ts'

/** An action, and the text and controls of the page after it. */
export interface Step {
  action: Action
  reached: string[]
}

/**
 * Compares the steps of a replay with those of its recording: `faithful: …`, or `diverged at step …` with both
 * pages. Pictures are only compared around a click; this compares the rest of the page.
 */
export function compareTrajectories(recorded: readonly Step[], replayed: readonly Step[]): string {
  for (let index = 0; index < Math.max(recorded.length, replayed.length); index++) {
    const [before, now] = [recorded[index], replayed[index]]
    if (isDeepStrictEqual(before, now)) continue
    return [
      `diverged at step ${index + 1} of ${recorded.length}`,
      ...describe('recorded', before),
      ...describe('replayed', now),
    ].join('\n')
  }
  return `faithful: ${recorded.length} steps`
}

function describe(name: string, step: Step | undefined): string[] {
  if (!step) return [`${name}: nothing, it ended before`]
  return [
    `${name}: ${JSON.stringify(step.action)} led to`,
    ...step.reached.map((line) => `  ${line}`),
  ]
}
