import type { Cassette } from '../../cassette/cassette.ts'
import { readConversations } from '../../conversation/conversation.ts'
import {
  costText,
  type PriceTable,
  sumUsage,
  tokensText,
  usageOf,
  type UsageTotal,
} from '../../conversation/cost.ts'
import { countOf } from '../../text/count-of.ts'
import type { Spent } from '../../attempt/spending.ts'

/** The expected size of a run, as far as recordings tell it. */
export interface RunEstimate {
  tests: number
  /** How many of them have a recording. */
  recorded: number
  /** The usage of those when they were recorded. */
  took: UsageTotal
}

/** The usage of a cassette when it was recorded. */
export function tookBefore(cassette: Cassette, prices: PriceTable): UsageTotal {
  const steps = readConversations(cassette).flatMap((conversation) => conversation.steps)
  return sumUsage(steps.map((step) => usageOf(step, prices)))
}

/** Says how many tests a run records, and what they cost last time. */
export function describeEstimate({ tests, recorded, took }: RunEstimate): string {
  const others = tests - recorded
  const records = `Records ${countOf(tests, 'test')}`
  if (recorded === 0) return `${records}. The cost is not known: there is no recording yet.`
  if (others === 0) return `${records}. Last time: ${usageText(took)}.`
  return `${records}. Last time ${recorded} of them took ${usageText(took)}; ${others} ${others === 1 ? 'has' : 'have'} no recording.`
}

/** The progress of a run in one line. */
export function describeProgress(spent: Spent, estimate: RunEstimate | undefined): string {
  const { took, calls, tests } = spent
  const known = estimate && estimate.recorded > 0 ? estimate.took : undefined
  const left = known && Math.max(0, known.exchanges - calls)
  return [
    estimate
      ? `${Math.min(tests, estimate.tests)} of ${countOf(estimate.tests, 'test')}`
      : countOf(tests, 'test'),
    countOf(calls, 'call'),
    tokensText(took),
    costText(took),
    left ? `about ${countOf(left, 'call')} left` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** `12 calls, 3,400 tokens, $0.05`. */
export function usageText(took: UsageTotal): string {
  const cost = costText(took)
  const money = cost === 'unknown' ? 'an unknown cost' : cost
  return `${countOf(took.exchanges, 'call')}, ${tokensText(took)}, ${money}`
}
