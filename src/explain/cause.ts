import { sumUsage, type UsageTotal } from '../conversation/cost.ts'
import type { PromptChange } from '../diff/prompt-change.ts'
import { isDerived } from '../diff/rank-changes.ts'
import type { Miss } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { sha256 } from '../prompt/sha256.ts'
import { makeChange, splitText } from '../diff/change.ts'
import type { Closest } from './closest.ts'
import { isSettledByConfig } from './advice/advise.ts'
import { exchangesStillAsked } from './advice/still-asked.ts'
import { canKeepAnswer, tookOf } from './ways-out.ts'

/** The cause of a failure that other tests can share: one change in all of their prompts, or no recording. */
export interface Cause {
  /**
   * The same for all of them; `unrecorded` where nothing is recorded, `renamed` where a test that is gone was,
   * `invalid`, with the names of the strategies, where the recording is no longer valid, `twin`, with its title, where
   * another test of the same title has it, and `error`, with its text, where no prompt is the cause.
   */
  key: string
  /** One plain line. */
  headline: string
  /** The commands that resolve the failure of this test alone. */
  advice: string
  /** Where the recording is no longer valid: whether a new one of the same prompts would not be valid either. */
  lasts?: boolean
  /** Whether the recorded answer can stay. */
  keeps: boolean
  /** The usage of its cassette when it was recorded. */
  took: UsageTotal
}

/** The cause of an error that ends the recordings of other tests too, such as a provider that is not there. */
export function causeOfError(headline: string, advice: string): Cause {
  return { key: `error ${headline}`, headline, advice, keeps: false, took: sumUsage([]) }
}

/** The cause of a miss; `undefined` where no other test can have it. */
export function causeOf(
  session: Session,
  miss: Miss,
  closest: Closest | undefined,
  said: Pick<Cause, 'headline' | 'advice'>,
): Cause | undefined {
  const { reason, conflict, turn, incoming } = miss
  if (reason !== 'unmatched' || conflict || turn || session.countAnswering(incoming) > 0)
    return undefined
  const took = tookOf(exchangesStillAsked(session), session)
  if (isSettledByConfig(session, miss, closest)) return causeOfError(said.headline, said.advice)
  if (!session.cassette) return { key: 'unrecorded', ...said, keeps: false, took }
  if (!closest?.recorded.incoming || closest.changes.length === 0) return undefined
  const key = keyOf(closest.changes)
  const keeps = !closest.suggestion && canKeepAnswer(session, miss)
  return { key, ...said, keeps, took }
}

/**
 * A key of the whole diff, so that no other change hides behind the headline. Of texts only the changed lines count:
 * prompts that share a rule have different texts around it, and digests of their own.
 */
function keyOf(changes: readonly PromptChange[]): string {
  const own = changes.filter((change) => !isDerived(change))
  const lines = (own.length > 0 ? own : changes).flatMap(({ kind, place, ...contents }) =>
    splitText(makeChange({ kind, place: { of: 'prompt', inside: place }, ...contents })),
  )
  return sha256([...new Set(lines.map(({ key }) => key))].sort().join())
}
