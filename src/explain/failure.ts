import type { UsageTotal } from '../conversation/cost.ts'
import type { ErrorCode } from '../errors.ts'
import type { PictureFile } from './failures/pictures.ts'
import type { MissedRequest } from './facts/missed-request.ts'

/** The kinds of failures, each a row of a table in `failures/`. */
export type FailureName =
  // Requests that nothing answers: `failures/misses.ts`.
  | 'late'
  | 'followed'
  | 'contradiction'
  | 'credential'
  | 'turn'
  | 'sample'
  | 'repeat'
  | 'misplaced'
  | 'renamed'
  | 'unrecorded'
  | 'empty'
  | 'written'
  | 'address'
  | 'one-more'
  | 'imported'
  | 'volatile'
  | 'identity'
  | 'changed'
  // Recordings that are not saved: `failures/recordings.ts`.
  | 'refused'
  | 'undeclared'
  | 'unreachable'
  | 'refused-key'
  | 'error'
  | 'odd'
  | 'faults-left-out'
  | 'secret'
  | 'unwritten'
  | 'too-large'
  // Recordings that a test does not use as it should: `failures/unused.ts`.
  | 'faults-missing'
  | 'unused'
  | 'invalid'
  // Requests that came when their test had ended: `failures/late.ts`.
  | 'sent-late'
  | 'refused-late'

/** What many failures have in common that one command settles. */
export type FailureGroup = 'changed' | 'unrecorded' | 'misplaced' | 'invalid' | 'error'

/** Why other tests can fail in the same way. */
export interface Cause {
  group: FailureGroup
  /** The same for all failures that are shown as one; absent where each is shown. */
  key?: string
  /** Whether the recorded answer can stay. */
  keeps?: boolean
  /** Whether a new recording of the same prompts would be invalid too. */
  lasts?: boolean
  /** The usage of the cassette when it was recorded. */
  took?: UsageTotal
}

/** What a failure has besides its text. */
interface FailureFacts {
  kind: FailureName
  code: ErrorCode
  /** One plain line, complete without the rest: some reporters show nothing else. */
  headline: string
  cause?: Cause | undefined
  /** Pictures that the details name, to be kept outside git. */
  pictures?: PictureFile[] | undefined
  /** The requests that nothing answers, as programs read them. */
  missed?: MissedRequest[] | undefined
  /** The programs of the test that failed: they may have ended before they asked. */
  ended?: string[] | undefined
  /** The key that the provider refused, with the status. */
  refused?: string | undefined
  callSite?: Error | undefined
}

/** A failure in its parts. Colours are in them; `renderFailure` takes them off. */
export interface Failure extends FailureFacts {
  /** The sections before the advice: request, test and cassette, the closest exchange, the diff, hints. */
  details: string[]
  /** What settles this failure alone, usually a command; empty where a section has it. */
  advice: string
  /** The sections behind the advice. */
  notes: string[]
}

/** What a runner reports. */
export interface ReportedFailure extends Pick<FailureFacts, 'code' | 'headline' | 'callSite'> {
  /** All that is said below the headline. */
  details: string
}

/** A failure, laid out. */
export interface RenderedFailure extends FailureFacts, ReportedFailure {
  /** Where the advice begins in them, which another one replaces where many tests fail for one cause. */
  adviceAt: number
}

/** What the reporters of a run know of a failure. */
export type FailureInRun = Pick<
  RenderedFailure,
  'kind' | 'code' | 'headline' | 'cause' | 'adviceAt'
>

/** A row of a table of failures. */
export interface FailureKind<Facts> {
  name: FailureName
  code: ErrorCode | ((facts: Facts) => ErrorCode)
  when(facts: Facts): boolean
  headline(facts: Facts): string
  details(facts: Facts): string[]
  advice?(facts: Facts): string
  cause?(facts: Facts): Cause | undefined
  /** What else is known. */
  more?(facts: Facts): Partial<Omit<Failure, 'kind' | 'code' | 'headline' | 'details'>>
}

/** The first kind whose condition holds. */
export function kindOf<Facts, Kind extends Pick<FailureKind<Facts>, 'when'>>(
  kinds: readonly Kind[],
  facts: Facts,
): Kind | undefined {
  return kinds.find((kind) => kind.when(facts))
}

/** The failure that some facts are; `undefined` where they are none. */
export function decideFailure<Facts>(
  kinds: ReadonlyArray<FailureKind<Facts>>,
  facts: Facts,
): Failure | undefined {
  const kind = kindOf(kinds, facts)
  if (!kind) return undefined
  const { name, code } = kind
  const cause = kind.cause?.(facts)
  return {
    kind: name,
    code: typeof code === 'string' ? code : code(facts),
    headline: kind.headline(facts),
    details: kind.details(facts),
    advice: kind.advice?.(facts) ?? '',
    notes: [],
    ...(cause ? { cause } : {}),
    ...kind.more?.(facts),
  }
}

/** The errors that recording does not settle: a refused request is refused again, and the others name their remedy. */
const UNSETTLED: ReadonlySet<ErrorCode> = new Set(['refused', 'speaker', 'secret'])

/** Whether recording settles an error, as far as its code tells. */
export function isSettledByRecording(code: ErrorCode): boolean {
  return !UNSETTLED.has(code)
}
