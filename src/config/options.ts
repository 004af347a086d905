import { loadLater } from '../real/load-later.ts'
import type { Fault } from './fault.ts'
import type { CachingStrategy, Mode } from './mode.ts'
import type { Price } from './parse-options.ts'
import type { VolatileRule } from './volatile-rule.ts'

/** The options of `cassettes({ … })`. Every one has a default. */
export interface CassetteOptions {
  /**
   * The treatment of requests if `RECORD` is not set. On CI, modes that record mean `replay`. The strategies of a
   * cache are understood too: `read`, `write` (all), `both` (new), `no` (off).
   * @default 'replay'
   */
  mode?: Mode | CachingStrategy
  /** The same under the name that caches use. Give one of the two. */
  strategy?: CachingStrategy
  /**
   * The folder of the cassettes, relative to the root of the Vitest project.
   * @default '__recordings__'
   */
  dir?: string
  /**
   * More hosts whose requests are treated as LLM calls, such as a gateway of your own, a vector store or a search:
   * `llm.example.com`, `*.example.com`, or `localhost:8080` for one port only.
   * @default []
   */
  hosts?: string[]
  /**
   * Hosts that this package leaves alone, written as in `hosts`: their requests are neither recorded nor replayed,
   * and pass to the network in replay too. Wins over `hosts` and the known providers.
   * @default []
   */
  allowHosts?: string[]
  /**
   * With `closed`, nothing leaves this machine in replay: every request to another host that is not recorded is
   * refused and fails its test, whatever it asks, but for `allowHosts`.
   * @default 'open'
   */
  network?: 'open' | 'closed'
  /**
   * MCP servers whose answers are recorded and replayed like those of models; all others stay real. A name is one or
   * more whole words of the command that starts a server (`weather` of `node servers/weather.ts`, `@acme/weather-mcp`
   * of `npx -y @acme/weather-mcp`), or of its address (`mcp.example.com`, `localhost:3000`).
   * @default []
   */
  mcp?: string[]
  /**
   * In replay, lend a harmless key to SDKs that refuse to start without one, if none is set.
   * @default true
   */
  keys?: boolean
  /**
   * The result of a passing test that did not ask for all of its exchanges: a failure or a warning.
   * @default 'fail'
   */
  unused?: 'fail' | 'warn'
  /**
   * The result of a run of all tests on CI for cassettes whose test is gone: a failure or a warning. Elsewhere it is
   * a warning.
   * @default 'fail'
   */
  orphans?: 'fail' | 'warn'
  /**
   * Let Node keep the compiled code of what the workers load, below `node_modules/.cache`: test files start sooner.
   * `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` outweigh it, and so does coverage by V8.
   * @default true
   */
  compileCache?: boolean
  /**
   * Write all cassettes as a page at the end of a run, failures first: `true` for the folder `cassette-report`, or the
   * name of another one, from the root of the run. Not in watch mode.
   * @default false
   */
  report?: boolean | string
  /**
   * Record every error of the provider. Without it, those that a retry overcame are left out. A 401, 403, 429 or 5xx that
   * is the last answer to its prompt, and any error in the place of a good answer, fail the test.
   * @default false
   */
  recordErrors?: boolean
  /**
   * The size in bytes above which a cassette is not read.
   * @default 33554432 (32 MiB)
   */
  maxCassetteBytes?: number
  /**
   * Read cassettes through symbolic links, as in the trees of Bazel and Nix, where every file is one. Whoever can change
   * the tree can then have any file of this machine read as a cassette. Nothing is ever written through a link.
   * @default false
   */
  followLinks?: boolean
  /**
   * Parts of a request's body that may vary between runs: rules by their name (`uuid`, `date-phrase`), JSON paths
   * (`$.metadata.user_id`, `$.messages[*].id`), regular expressions, or functions that return the volatile pieces of
   * a text. Functions cannot travel from the config file to the tests: give them to `configureCassettes` in a set-up
   * file. Volatile values keep their identity: one value stays one value, two values stay two. In the replayed
   * answer, the values of the run replace the recorded ones.
   * @default []
   */
  volatile?: VolatileRule[]
  /**
   * Data that is never stored, in addition to credentials: rules in a list, or by their names, as in
   * `{ customer: /C-\d{6}/ }`. `<REDACTED:customer.1>` replaces the first value of a rule, also in prompts before they
   * are compared: equal values stay equal, and different ones different. Values that are exchanged one for one
   * everywhere pass, unless the rule has a `check`. `keep` names the credentials that are stored as they are, and
   * compared: `{ keep: ['TENANT_KEY'] }`.
   * @default []
   */
  redact?: RedactOption
  /**
   * How pictures in prompts compare: by their content, or by their look, which needs the package `sharp`. See
   * {@link ImageOptions}.
   * @default { match: 'exact' }
   */
  images?: ImageOptions
  /**
   * The answer to a prompt that is asked more often than recorded: a failure, its last answer again, or its answers
   * again from the first one.
   * @default 'strict'
   */
  repeats?: 'strict' | 'last' | 'cycle'
  /**
   * Allows requests in another order than recorded. With `false`, a request before its turn is a miss; answers to the
   * same prompt come in the order recorded either way.
   * @default true
   */
  unordered?: boolean
  /**
   * Faults in replayed answers: `'429 once'`, `'cut after event 3'`, `'delay 200ms'`, or
   * `{ status: 503, times: 2, retryAfter: 1, on: 'exchange-2' }`. Modes that record leave faults out.
   * @default []
   */
  faults?: Fault[]
  /**
   * How fast the chunks of a replayed answer come: all at once, over the time that was recorded, or with a wait of some
   * milliseconds before each.
   * @default 'instant'
   */
  pace?: Pace
  /**
   * Prices of models in US dollars for a million tokens; they override the built-in ones:
   * `{ 'my-model': { input: 1, output: 2, cacheRead: 0.1 } }`.
   * @default {}
   */
  prices?: Record<string, Price>
  /**
   * Speakers that answer steps of a conversation beside its cassette and the provider. The first that can handle a
   * step answers it. In `configureCassettes` and tests only.
   * @default []
   */
  speakers?: readonly SpeakerOption[]
  /**
   * How parameters are found: `cassette.params({ … })` in the test, or with `{ strategy: 'llm', propose }` proposed
   * by a model for each recording whose test declares none. A proposal is stored in the cassette, and has no effect
   * before `vitest-cassette params --accept`. In `configureCassettes` and tests only.
   * @default { strategy: 'preset' }
   */
  params?: ParamsStrategy
  /**
   * The number of days after which a cassette is invalid, counted from its oldest answer: `90`, or `'90 days'`.
   * @default no limit
   */
  maxAge?: number | `${number} days`
  /**
   * The most failures of its test in a row on this machine; with more, a cassette is invalid.
   * @default no limit
   */
  maxFailures?: number
  /**
   * Cassettes with answers of these models are invalid; `*` stands for any text: `claude-2*`.
   * @default []
   */
  retiredModels?: string[]
  /**
   * Returns the reason why a cassette is invalid. Functions cannot travel from the config file to the tests: give it
   * to `configureCassettes` in a set-up file.
   */
  whyInvalid?: WhyInvalid
  /**
   * The result of a test whose cassette is invalid: a failure, or a line in the summary. The cassette is replayed all
   * the same; `RECORD=new` records it again, but not on CI.
   * @default 'warn'
   */
  invalid?: 'fail' | 'warn'
}

/** How fast the chunks of a replayed answer come. */
export type Pace = 'instant' | 'recorded' | number

/** Options that a single test can set; the others hold for a project or a file. */
export type TestOptions = Omit<CassetteOptions, ProjectOption>

const PROJECT_OPTIONS = [
  'dir',
  'keys',
  'network',
  'orphans',
  'compileCache',
  'maxCassetteBytes',
  'followLinks',
  'report',
] as const

type ProjectOption = (typeof PROJECT_OPTIONS)[number]

/** True for an option that a single test cannot set. */
export function isProjectOption(name: string): name is ProjectOption {
  return PROJECT_OPTIONS.includes(name as ProjectOption)
}

/** True for a number of days, in digits or in words. */
export function isDays(value: unknown): value is number | `${number} days` {
  return parseFloat(String(value)) > 0 && /^\d+(\.\d+)?( days?)?$/.test(String(value))
}

/** How the parameters of a conversation are found: declared in the test, or proposed by a model for review. */
export type ParamsStrategy =
  | { strategy: 'preset' }
  | {
      strategy: 'llm'
      /** Asks your model with your own client. Its answer contains one JSON object. */
      propose: (prompt: string) => Promise<string>
    }

/** True for a valid strategy. */
export function isParamsStrategy(value: unknown): value is ParamsStrategy {
  const { strategy, propose } = (value ?? {}) as { strategy?: unknown; propose?: unknown }
  return strategy === 'preset' || (strategy === 'llm' && typeof propose === 'function')
}

/** How pictures in prompts compare. */
export interface ImageOptions {
  /**
   * - `exact`: by their content
   * - `phash`: by 64 bits that describe the shapes and their places
   * - `ahash`: by 64 bits that describe light and dark places; coarser
   * - `ignore`: not at all, as long as their number and types are the same; the summary of the run counts them
   */
  match: 'exact' | 'phash' | 'ahash' | 'ignore'
  /**
   * The number of 64 bits in which two pictures may differ and still match. An empty page can differ from a full one
   * in 15.
   * @default 0
   */
  threshold?: number
  /**
   * The side in pixels of a square around the point that a tool call names after the picture, in the prompt or in the
   * recorded answer: only the content of the square counts. If no call names a point, the whole picture counts.
   */
  region?: number
}

/** The bits of a hash of a picture. */
const BITS = 64

/** True for a number of bits that two hashes can differ in. */
export function isThreshold(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= BITS
}

/** True for the side of a square in pixels. */
export function isRegion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
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
export function isWhyInvalid(value: unknown): value is WhyInvalid {
  return typeof value === 'function'
}
