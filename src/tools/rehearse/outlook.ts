import {
  costText,
  countExchange,
  type PriceTable,
  sumUsage,
  type UsageTotal,
} from '../../conversation/cost.ts'
import { dialectOf } from '../../providers/dialects.ts'
import { countOf } from '../../text/count-of.ts'
import { usageText } from '../programs/outlook.ts'
import type { Asking } from './asking.ts'
import type { RehearsalState } from './rehearsal.ts'

/** The expected usage of calls: the recorded tokens at the price of the model that is asked now. */
export function outlookOf(
  calls: ReadonlyArray<{ asking: Asking }>,
  prices: PriceTable,
): UsageTotal {
  return sumUsage(
    calls.map(({ asking: { question, request } }) => {
      const { model } = dialectOf(request).readPrompt(request)
      const { usage } = question.before.completion
      return countExchange(
        { model, usage, isFree: false, durationMs: question.took.durationMs },
        prices,
      )
    }),
  )
}

/** Describes the calls that are about to be made, and their expected cost. */
export function describeRehearsal(
  prompts: number,
  calls: number,
  left: number,
  took: UsageTotal,
): string {
  const known = calls - left
  const paid =
    known > 0
      ? ` ${countOf(known, 'answer')} of a rehearsal that stopped ${known === 1 ? 'is' : 'are'} there and not asked for.`
      : ''
  if (left === 0) return `Rehearses ${countOf(prompts, 'recorded prompt')}.${paid}`
  return `Rehearses ${countOf(prompts, 'recorded prompt')}. By last time's figures: ${usageText(took)}.${paid}`
}

/** The progress of a rehearsal in one line. */
export function describeState({ answered, calls }: RehearsalState, spent: UsageTotal): string {
  return `${answered} of ${countOf(calls, 'answer')}, ${costText(spent)}`
}
