import { stripVTControlCharacters } from 'node:util'
import type { Cassette } from '../cassette/cassette.ts'
import type { MergeCassettes } from '../cassette/store.ts'
import { isPaid } from '../engine/recording.ts'
import type { Session } from '../engine/session.ts'
import { assembleCassette, dropped, keepsAnswers, respelledIn } from '../recording/assemble.ts'
import { mergerOf } from '../recording/merger.ts'
import { isOdd, type OddExchange } from '../recording/odd-answers.ts'
import type { FindElsewhere } from './elsewhere.ts'
import { failureOfMiss } from './explain-miss.ts'
import { handOversOf } from './facts/hand-over.ts'
import { oddAnswersOf } from './facts/odd-answers.ts'
import { decideFailure, type Failure } from './failure.ts'
import { AttemptFacts, RECORDINGS } from './failures/recordings.ts'
import { FAULTS, INVALID, UNUSED } from './failures/unused.ts'
import { renderFailure } from './render-failure.ts'
import { tellHandOver, type ToldHandOver, warnOfRecording } from './failures/warnings.ts'

/** How an attempt ended, as far as its runner can tell. */
export interface AttemptOutcome {
  /** True where the test passed, apart from its requests. */
  passed: boolean
  /** What failed, if it was no test: 'the program failed'. */
  failed?: string | undefined
  /** True where some code that can make requests did not run: unused exchanges are then no failure. */
  partial?: boolean
  /** True where the test is tried again if it fails: only the last attempt reports. */
  isTriedAgain?: boolean
  now: Date
  color: boolean
  /** Finds where else a prompt of the test is recorded, if the runner knows other tests. */
  elsewhere?: FindElsewhere
}

/** The consequences of an attempt. At most one of `failure` and `save` is there. */
export interface Verdict {
  failure?: Failure
  /** Text for the user that fails nothing. */
  warning?: string
  /** The recording that becomes the cassette. */
  save?: Cassette
  /** True where `save` replaces an invalid recording as a whole. */
  renews?: boolean
  /** Keeps the unchanged parts of the old cassette; absent where `save` replaces all of it. */
  merge?: MergeCassettes
  /** A paid recording that may not become the cassette, kept outside git. */
  park?: Cassette
  /** True where `park` holds nothing that `recover` takes: a credential, or only errors that recording refuses. */
  isUseless?: boolean
  /** How many exchanges the attempt should have asked for and did not. */
  unused?: number
  /** How many requests of `save` are spelled as they are sent now. */
  respelled?: number
  /** Tells which exchanges of `save` are stored as raw bytes, since they could not be read back. */
  raw?: string
  /** The values of its prompts that vary, by the rule that declares each. */
  varying?: Array<{ rule: 'date-phrase' | 'tmp-path'; text: string }>
  /** Where conversations left their recording. */
  handOvers?: ToldHandOver[]
  /** The answers of `save` that somebody should look at, and that the recording before did not have. */
  odd?: readonly OddExchange[]
}

/** Judges an attempt whose answers have all ended. */
export function judgeAttempt(session: Session, outcome: AttemptOutcome): Verdict {
  const verdict = judge(session, outcome)
  const { handOvers, warning } = verdict
  if (outcome.color) return verdict
  return {
    ...verdict,
    ...(handOvers
      ? {
          handOvers: handOvers.map((one) => ({ ...one, text: stripVTControlCharacters(one.text) })),
        }
      : {}),
    ...(warning ? { warning: stripVTControlCharacters(warning) } : {}),
  }
}

function judge(session: Session, outcome: AttemptOutcome): Verdict {
  const recordings = session.asked.flatMap(({ recording }) => recording ?? [])
  // An attempt that renews its recording leaves no recorded conversation.
  const handOvers = session.validity.renews ? [] : handOversOf(session)
  // If the first prompt differs, the recorded conversation is a guess by similarity, so it is kept.
  const stale = handOvers.flatMap(({ at, stale }) => (at > 1 ? stale : []))
  const cassette = assembleCassette(session, outcome.now, outcome.partial ? stale : undefined)
  const odd = oddAnswersOf(session, cassette)
  // That an answer is odd may be why a test failed.
  const [refused] = outcome.passed ? odd.replacing : [...odd.replacing, ...odd.beside]
  const [miss] = session.misses
  const failure =
    miss && !session.fault
      ? failureOfMiss(session, miss, outcome.color, outcome.elsewhere)
      : decideFailure(RECORDINGS, new AttemptFacts(session, outcome.passed, recordings, refused))
  const isSaved = !failure && outcome.passed
  const left =
    handOvers.length === 0
      ? {}
      : { handOvers: handOvers.map((one) => tellHandOver(session, one, isSaved, outcome.color)) }
  if (!isSaved) {
    // Without a paid answer there is nothing to park, but a test that survives an error can be meant to.
    const isWorth = outcome.passed ? recordings.length > 0 : recordings.some(isPaid)
    if (!cassette || !isWorth) return { failure, ...left }
    const isUseless = failure?.code === 'secret' || cassette.exchanges.every(isOdd)
    return { failure, park: cassette, isUseless, ...left }
  }
  const { size: respelled } = respelledIn(session)
  // An answer is kept only if the test makes all recorded requests, and a request is respelled only if it passes.
  const isToMake = keepsAnswers(session) || respelled > 0
  const made = isToMake ? judgeUse(session, outcome) : {}
  if (made.failure) return made
  const replaced = new Set(handOvers.flatMap((one) => one.stale))
  const leftOut = outcome.partial ? [] : dropped(session).filter((one) => !replaced.has(one))
  const warning = cassette && warnOfRecording(session, cassette, leftOut, odd.beside)
  if (cassette) {
    const renews = session.validity.renews && !outcome.partial
    const merge = mergerOf(session, renews, outcome.partial)
    const told = odd.beside.length > 0 ? { odd: odd.beside } : {}
    const spelled = respelled > 0 ? { respelled } : {}
    const said = { ...left, ...told, ...spelled, ...(warning ? { warning } : {}) }
    return { ...made, save: cassette, renews, merge, ...said }
  }
  const verdict = judgeUse(session, outcome)
  if (verdict.failure || outcome.partial) return verdict
  const failed = decideFailure(INVALID, { session })
  return failed ? { ...verdict, failure: failed } : verdict
}

/** Judges whether a test used its faults, and all of its recording. */
function judgeUse(session: Session, { partial, color, elsewhere: find }: AttemptOutcome): Verdict {
  const { unused, recorded, faults, config } = session
  const missing = partial ? undefined : decideFailure(FAULTS, { session })
  if (missing) return { failure: missing }
  // A client without an answer sends no further request.
  if (faults?.haveSpoiled || partial || config.mode === 'off') return {}
  const [first] = unused.length === recorded.length ? unused : []
  const isWarned = config.unused === 'warn' && !keepsAnswers(session)
  const elsewhere = !isWarned && first?.incoming ? find?.(first.incoming, session) : undefined
  const failure = decideFailure(UNUSED, { session, elsewhere })
  if (!failure) return {}
  if (!isWarned) return { failure, unused: unused.length }
  const { headline, details } = renderFailure(failure, color)
  return { warning: `${headline}\n${details}`, unused: unused.length }
}
