import { loadLater } from '../real/load-later.ts'

// The options that are more than data of JSON. Loads no zod, since every option that a test sets is checked here.

/** True for a number of days, in digits or in words. */
export function isDays(value: unknown): value is number | `${number} days` {
  return parseFloat(String(value)) > 0 && /^\d+(\.\d+)?( days?)?$/.test(String(value))
}

/** The names of the two speakers of every conversation: the cassette, and the provider. */
export const BUILT_IN_SPEAKERS = ['cassette', 'live'] as const

/** The part of a speaker that options check; `features/ask-speakers.ts` has its steps and answers. */
export interface SpeakerOption {
  readonly name: string
  canHandle(step: never): unknown
  handleStep(step: never): unknown
}

/** True for valid speakers: each with a name of its own. */
export function areSpeakers(value: unknown): value is readonly SpeakerOption[] {
  if (!Array.isArray(value) || !value.every(isSpeaker)) return false
  const names = [...BUILT_IN_SPEAKERS, ...value.map(({ name }) => name)]
  return new Set(names).size === names.length
}

function isSpeaker(value: unknown): value is SpeakerOption {
  const { name, canHandle, handleStep } = (value ?? {}) as Partial<SpeakerOption>
  const isNamed = typeof name === 'string' && name !== ''
  return isNamed && typeof canHandle === 'function' && typeof handleStep === 'function'
}

/** Rules for data that is never stored, in a list or by their names, and the credentials that are stored. */
export type RedactOption = RedactRules | NamedRedactRules

/** Rules in a list. */
export type RedactRules = ReadonlyArray<RedactRule | KeptCredentials>

/** Rules by their names. The name `keep` lists credentials. */
export interface NamedRedactRules {
  readonly [name: string]: RedactRule | readonly string[] | undefined
  readonly keep?: readonly string[]
}

/** Credentials that are no secret, such as the names of tenants: their values are stored, and compared. */
export interface KeptCredentials {
  /** Environment variables, or headers that the requests are sent with. */
  keep: readonly string[]
}

/**
 * A rule for the user's own data that is never stored:
 * - a regular expression, all of whose matches are replaced
 * - a function that returns the pieces of a text to replace (in `configureCassettes` only)
 * - one of both as `match`, with what a change of the value is noticed by
 */
export type RedactRule = RegExp | FindPrivate | CheckedRedactRule

/** A rule whose values have a check: digits of their digest, which are stored and compared. */
export interface CheckedRedactRule {
  /** What finds the values. */
  match: RegExp | FindPrivate
  /** The name in the placeholder. @default 'rule' */
  name?: string
  /**
   * The bits of the digest, in fours, up to 48. Of 256 changes, eight bits notice 255, and leave one of 256 guesses to
   * who reads the cassette. Values that nobody can guess, such as uuids, have 48 of their own accord.
   * @default 0
   */
  check?: number
}

/** Returns the pieces of `text` that are not to be stored; an empty array when there are none. */
export type FindPrivate = (text: string) => readonly string[]

/** True for valid rules of the option `redact`. */
export function areRedactRules(redact: unknown): redact is RedactOption {
  return loadCheck().faultOfRedact(redact) === undefined
}

const loadCheck: () => typeof import('./schema/check-redact.ts') = loadLater(
  './check-redact.mjs',
  () => import('./schema/check-redact.ts'),
)

/** The facts about a recording from which {@link WhyInvalid} decides. */
export interface RecordingFacts {
  /** `<test file> > <suite> > <test>`. */
  test: string
  /** When its oldest answer was recorded; absent if a person wrote all answers. */
  recorded?: Date
  /** The models of its requests, each once. */
  models: string[]
  /** The mark of a person who called it invalid, if any. */
  invalid?: Invalidation
  /** The results of earlier runs on this machine, if known. */
  runs?: RunStatistics
}

/** The mark of `vitest-cassette invalidate`. */
export interface Invalidation {
  /** Why, in the words of the person who said so. */
  reason: string
  /** ISO 8601. */
  since: string
}

/** How the runs of a test with one recording ended, on this machine. */
export interface RunStatistics {
  /** Runs of the test with this recording. */
  attempts: number
  /** Those that failed. */
  failures: number
  /** Failures since it last passed. */
  failuresInARow: number
  /** ISO 8601. */
  lastUsed: string
  /** The last few failures with known reasons, the newest last. */
  lastFailures?: Array<{ at: string; reason: string }>
}

/** Returns why a recording is no longer valid, or `undefined` if it is. */
export type WhyInvalid = (recording: RecordingFacts) => string | undefined

/** True for any function. */
export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
