import { sumUsage, type UsageTotal } from '../../conversation/cost.ts'
import type { Completion } from '../../prompt/completion.ts'
import { defined } from '../../providers/fields.ts'
import { dialectOf } from '../../providers/dialects.ts'
import { type BehaviourDifference, compareBehaviour } from './compare-behaviour.ts'
import { type Asking, type ExchangePlace, keyOf } from './questions.ts'
import type { Sample } from './rehearsal.ts'

/** How the new answers compare with the recorded one. */
type AnswerVerdict =
  /** Word for word. */
  | 'same'
  /** The same behaviour, in other words. */
  | 'words'
  /** Another behaviour. */
  | 'other'
  /** The provider rejects the request. */
  | 'fails'
  /** The rehearsal stopped before this question. */
  | 'not asked'

export interface Judged extends ExchangePlace {
  verdict: AnswerVerdict
  model?: string
  samples: number
  /** The number of samples that behaved as recorded. */
  agreed: number
  /** The differences of all samples, each once. */
  differences: BehaviourDifference[]
  /** Why the provider rejects the request. */
  why?: string
  before: Completion
  /** Set for a prompt of a trace: what the trace does not hold, and was not asked therefore. */
  without?: string[]
  /** The first sample with another behaviour, or else with other words, or else of all. */
  now?: Completion
  /** The usage of the recorded answer, and the mean usage of the samples. */
  was: UsageTotal
  took?: UsageTotal
}

/**
 * A function of the user that judges an answer: `true` accepts it, `false` or a text rejects it, `undefined` leaves it
 * to the comparison.
 */
export type UserJudge = (answers: {
  test: string
  exchange: string
  before: Completion
  now: Completion
  differences: readonly BehaviourDifference[]
}) => boolean | string | undefined | Promise<boolean | string | undefined>

export async function judgeAsking(
  asking: Asking,
  answers: ReadonlyMap<string, Sample[]>,
  askUser?: UserJudge,
): Promise<Judged> {
  const { question, request } = asking
  const { test, cassette, exchange, before, schema, without } = question
  const samples = answers.get(keyOf(asking)) ?? []
  const { model } = dialectOf(request).readPrompt(request)
  const place = defined({ test, cassette, exchange, model })
  const common = {
    ...place,
    samples: samples.length,
    before: before.completion,
    was: question.took,
    without,
  }
  const none = { agreed: 0, differences: [] }
  if (samples.length === 0) return { ...common, ...none, verdict: 'not asked' }
  const answered = samples.filter((sample) => 'behaviour' in sample)
  const [refused] = samples.flatMap((sample) => ('why' in sample ? [sample.why] : []))
  if (answered.length === 0) return { ...common, ...none, verdict: 'fails', why: refused! }
  const compared = await Promise.all(
    answered.map(async ({ behaviour }) => {
      const found = compareBehaviour(before, behaviour, schema)
      const now = behaviour.completion
      const differences = await letUserJudge(askUser, {
        ...place,
        before: before.completion,
        now,
        ...found,
      })
      return { ...found, differences, now }
    }),
  )
  const others = compared.filter(({ differences }) => differences.length > 0)
  const worded = compared.filter(({ isWords }) => isWords)
  const verdict = others.length > 0 ? 'other' : worded.length > 0 ? 'words' : 'same'
  const differences = others.flatMap((one) => one.differences)
  return {
    ...common,
    verdict,
    agreed: compared.length - others.length,
    differences: [...new Map(differences.map((one) => [one.says, one])).values()],
    now: (others[0] ?? worded[0] ?? compared[0])!.now,
    took: meanOf(answered.map(({ took }) => took)),
    why: refused,
  }
}

/** The differences, or what the function of the user makes of them. */
async function letUserJudge(
  askUser: UserJudge | undefined,
  { differences, ...answers }: Parameters<UserJudge>[0],
): Promise<readonly BehaviourDifference[]> {
  const said = await askUser?.({ ...answers, differences })
  if (said === undefined) return differences
  if (said === true) return []
  return [{ kind: 'judge', says: typeof said === 'string' ? said : 'the judge says no' }]
}

function meanOf(all: readonly UsageTotal[]): UsageTotal {
  const sum = sumUsage(all)
  const count = all.length
  return {
    ...sum,
    exchanges: 1,
    inputTokens: Math.round(sum.inputTokens / count),
    cachedTokens: Math.round(sum.cachedTokens / count),
    outputTokens: Math.round(sum.outputTokens / count),
    reasoningTokens: Math.round(sum.reasoningTokens / count),
    durationMs: Math.round(sum.durationMs / count),
    cost: sum.cost / count,
    unpriced: Math.sign(sum.unpriced),
    uncounted: Math.sign(sum.uncounted),
    unaskedCounts: Math.sign(sum.unaskedCounts),
  }
}

/** The verdicts and the usage of one test, or of all. */
export interface Tally {
  name: string
  answers: number
  verdicts: Record<AnswerVerdict, number>
  /** The usage of the compared answers when they were recorded, and now. */
  was: UsageTotal
  took: UsageTotal
}

/** What differs in the answers to a question, or why the provider rejects it. */
export function changesText({ why, differences }: Judged): string[] {
  return why === undefined ? differences.map(({ says }) => says) : [why]
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
  const verdicts = { same: 0, words: 0, other: 0, fails: 0, 'not asked': 0 }
  for (const { verdict } of judged) verdicts[verdict]++
  const compared = once.filter(({ took }) => took !== undefined)
  return {
    name,
    answers: judged.length,
    verdicts,
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
