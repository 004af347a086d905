import { sumUsage, type UsageTotal } from '../conversation/cost/usage.ts'
import type { RunLine, TestCassetteLine } from './run-channel.ts'

/** The progress of a run, and its usage so far. */
export interface Spent {
  /** Calls that were answered. */
  took: UsageTotal
  /** Calls that were sent, answered or not. */
  calls: number
  /** Calls that were not sent, since they could have cost too much. */
  refused: number
  /** The cassettes of the refused calls. */
  refusedBy: string[]
  /** Tests that have ended. */
  tests: number
  failed: number
  cassettes: TestCassetteLine[]
}

/** Adds up the lines of the processes of a run. */
export function sumUp(lines: readonly RunLine[]): Spent {
  const refused = lines.filter((line) => line.kind === 'refused')
  const refusedKeys = new Set(refused.map(({ key }) => key))
  const asked = lines.filter((line) => line.kind === 'ask')
  const tests = lines.filter((line) => line.kind === 'test')
  return {
    took: sumUsage(answersIn(lines).map(({ took }) => took)),
    calls: asked.filter(({ key }) => !refusedKeys.has(key)).length,
    refused: refusedKeys.size,
    refusedBy: [...new Set(refused.map(({ cassette }) => cassette))],
    tests: tests.length,
    failed: tests.filter(({ passed }) => !passed).length,
    cassettes: tests.flatMap(({ cassette }) => cassette ?? []),
  }
}

/** The last answer line of each call. */
export function answersIn(lines: readonly RunLine[]): Array<RunLine & { kind: 'answer' }> {
  const answers = lines.filter((line) => line.kind === 'answer')
  return [...new Map(answers.map((line) => [line.key, line])).values()]
}

/**
 * The cost of the calls before a call, in US dollars. Calls that are not answered yet count with their estimated cost.
 * Each process finds the calls in the same order, so that no two of them spend the same money.
 */
export function spentBefore(lines: readonly RunLine[], key: string): number {
  const costs = new Map<string, number>()
  for (const line of lines) {
    if (line.kind !== 'ask') continue
    if (line.key === key) break
    costs.set(line.key, line.cost)
  }
  for (const line of lines) {
    if (line.kind === 'refused') costs.delete(line.key)
    // An answer without token counts keeps its estimated cost.
    if (line.kind === 'answer' && costs.has(line.key) && line.took.unpriced === 0)
      costs.set(line.key, line.took.cost)
  }
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0)
}
