import { sumUsage, type UsageTotal } from '../../conversation/cost.ts'
import type { Judged, AnswerVerdict } from './judge-asking.ts'

/** The verdicts and the usage of one test, or of all. */
export interface Tally {
  name: string
  answers: number
  verdicts: Record<AnswerVerdict, number>
  /** The usage of the compared answers when they were recorded, and now. */
  was: UsageTotal
  took: UsageTotal
}

/** A row for each test, in the order in which they were asked. */
export function tallyByTest(judged: readonly Judged[]): Tally[] {
  return [...Map.groupBy(judged, ({ test }) => test)].map(([name, all]) => tally(name, all))
}

/**
 * Adds up the verdicts and the usage of several questions.
 *
 * @param once the questions whose usage counts: of those that share their calls, one
 */
export function tally(
  name: string,
  judged: readonly Judged[],
  once: readonly Judged[] = judged,
): Tally {
  const count = (verdict: AnswerVerdict): number =>
    judged.filter((one) => one.verdict === verdict).length
  const compared = once.filter(({ took }) => took !== undefined)
  return {
    name,
    answers: judged.length,
    verdicts: {
      same: count('same'),
      words: count('words'),
      other: count('other'),
      fails: count('fails'),
      'not asked': count('not asked'),
    },
    was: sumUsage(compared.map(({ was }) => was)),
    took: sumUsage(compared.map(({ took }) => took!)),
  }
}

/** Whether behaviour drifted: fewer than `atLeast` samples behave as recorded, or the provider rejects the request. */
export function hasDrifted(
  { verdict, agreed, samples }: Judged,
  atLeast: number | undefined,
): boolean {
  if (verdict === 'fails') return true
  return verdict === 'other' && agreed < Math.min(atLeast ?? samples, samples)
}
