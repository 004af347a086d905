import type { Cassette } from '../cassette/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Price } from '../config/options.ts'
import { type Countable, countableOf, type CountedExchange } from '../conversation/usage.ts'
import type { FailureInRun, RenderedFailure } from '../explain/failure.ts'
import type { Verdict } from '../explain/judge-attempt.ts'
import type { SlowRequest, TestIdentity } from '../engine/session-contract.ts'
import type { ValuePair } from '../engine/bind.ts'
import type { Incoming } from '../engine/incoming.ts'
import type { Oddity } from '../recording/odd-answers.ts'
import type { Recorded, Validity } from '../engine/recorded.ts'
import { sha256 } from '../prompt/sha256.ts'
import { readPlayed } from '../replay/read-played.ts'
import type { PassedPictures, PictureComparer } from '../engine/rare-cases.ts'
import { loadLater } from '../real/load-later.ts'
import type { SlowCalls } from '../replay/slow-reason.ts'
import type { Attempt } from './attempt.ts'
import type { Ended } from './owner.ts'

const loadWhySlow: () => typeof import('./closing/why-slow.ts') = loadLater(
  './why-slow.mjs',
  () => import('./closing/why-slow.ts'),
)

/** What a volatile rule forgave in the requests of a test. */
export interface ForgivenValues {
  rule: string
  /** The paths of the values, with `*` in the place of positions. */
  places: string[]
  requests: number
}

/** The counts of a test in `task.meta.cassette`. Vitest passes them to reporters, shards and blobs. */
export interface CassetteMeta {
  /** Exchanges answered from the cassette. */
  replayed: number
  /** How many of them were found by their hash; absent where a run does more than replay. */
  byHash?: number
  /** Why the others were not; absent where there are none. */
  slow?: SlowCalls
  /** Requests that mode `prompts` stored as they are sent now; absent where there are none. */
  respelled?: number
  /** Steps that speakers of the test answered, by speaker; they are not recorded. */
  spoken?: Record<string, number>
  /** Exchanges recorded in this run. */
  recorded: number
  /** Errors of the provider that a retry overcame, and that are not recorded; absent where there are none. */
  overcome?: number
  /** Requests that nothing answered. */
  misses: number
  /** Those of them of which its failure tells programs; absent where there are none. */
  missed?: NonNullable<RenderedFailure['missed']>
  /** The programs of the test that failed, and how they ended; absent where there are none. */
  ended?: string[]
  /** Its failure; absent where it has none of this package. */
  failure?: FailureInRun
  /** The pictures in its failure, asked and recorded, as paths relative to the working directory. */
  differing?: Array<{ asked: string; recorded?: string }>
  /** The hash of the first prompt of a test that has no cassette. */
  asks?: string
  /** The hash of all prompts of a test that was recorded afresh. */
  prompts?: string
  /** Exchanges of the cassette that were not asked for. */
  unused: number
  /** Answers that were kept for a changed prompt in mode `prompts`. */
  kept: number
  /** Pictures that differ from the recorded files and matched nevertheless; absent where there are none. */
  pictures?: PassedPictures
  /** The requests that matched although volatile values differ, by rule; absent where there are none. */
  forgiven?: ForgivenValues[]
  /** The key that the provider refused while its answers were recorded. */
  refused?: string
  /** What of recorded prompts the next run, or that of tomorrow, does not have. */
  varying?: Verdict['varying']
  /** Tells which of its exchanges are stored as raw bytes; absent where there are none. */
  raw?: string
  /** Set where its recording is kept outside of git, and `recover` takes something of it. */
  parked?: true
  /** The recorded answers that somebody should look at; absent where there are none. */
  odd?: Array<Oddity & { test: string }>
  /** The conversations that left their recording in mode `new`: the id of the test, and what happened. */
  handOvers: Array<{ test: string; what: string }>
  /** What counts of each exchange that replay saved. The process of Vitest, which has the prices, adds it up. */
  saved: Countable[]
  /** The prices that the user gives; absent where there are none. */
  prices?: Readonly<Record<string, Price>>
  /** The path of the cassette, relative to the working directory. */
  cassette: string
  /** When the cassette last changed; absent where there is none. */
  recording?: string
  /** Whether the test passed; absent where it failed only because its recording is no longer valid. */
  passed?: boolean
  /** Why its recording is no longer valid; empty where it is. */
  invalid: string[]
}

/** The parts of a session that are counted. */
export interface CountedRequests {
  test: Pick<TestIdentity, 'id' | 'cassette' | 'asked'>
  asked: ReadonlyArray<{
    replayed?: CountedExchange
    recording?: { error?: Error; incoming: Incoming; response?: { status: number } }
    kept?: true
    takesPrompt?: true
    speaker?: string
    incoming?: Incoming
    slow?: SlowRequest
    forgiven?: ValuePair[]
  }>
  /** Those whose answer a fault withheld or cut. */
  spoiled?: CountedRequests['asked']
  arrived: readonly unknown[]
  recorded: readonly Recorded[]
  pictures?: PictureComparer
  misses: ReadonlyArray<{ incoming: { hash: string } }>
  cassette?: Pick<Cassette, 'timestamp'>
  config: ResolvedConfig
  validity: Pick<Validity, 'objections'>
}

/** As {@link countRequests}, with how many requests of an attempt were found by their hash, and why others were not. */
export function countAttempt(attempt: Attempt, passed: boolean, ended?: Ended): CassetteMeta {
  const counted = countedIn(attempt)
  const meta = countRequests(counted, passed, ended)
  if (counted.config.mode !== 'replay' || counted.config.run) return meta
  const all = counted.asked.flatMap(({ slow, speaker }) => (slow && !speaker ? slow : []))
  const byHash = meta.replayed - all.length
  if (all.length === 0) return { ...meta, byHash }
  // Nothing has to be found out of those that came in another way.
  const isOtherWay = all.every(({ way }) => way === 'client')
  const slow = isOtherWay ? { client: all.length } : loadWhySlow().whySlow(attempt)
  return { ...meta, byHash, slow }
}

/** What an attempt asked. */
export function countedIn(attempt: Attempt): CountedRequests {
  const { config, owner, replayed } = attempt
  if (!replayed) return attempt.session
  const asked = readPlayed(replayed)
  return {
    test: owner.test(config.dir),
    asked,
    arrived: asked,
    recorded: [],
    misses: [],
    cassette: replayed.file,
    config,
    validity: { objections: () => [] },
  }
}

/**
 * Counts the requests of an attempt.
 *
 * @param passed whether the test passed, apart from its requests
 * @param ended its failure, and the verdict, where one was needed
 */
export function countRequests(
  counted: CountedRequests,
  passed: boolean,
  { failure, verdict = {} }: Ended = {},
): CassetteMeta {
  const { test, arrived, asked, misses, cassette, config, validity } = counted
  const { unused = 0, handOvers = [], save, varying, raw, odd, park, renews = false } = verdict
  const replayed = asked.flatMap(({ replayed, speaker }) => (speaker ? [] : (replayed ?? [])))
  const spoken = Map.groupBy(
    asked.flatMap(({ speaker }) => speaker ?? []),
    (name) => name,
  )
  return {
    replayed: replayed.length,
    recorded: asked.filter(({ replayed, recording }) => !replayed && isKept(recording, save))
      .length,
    ...(spoken.size > 0
      ? { spoken: Object.fromEntries(Array.from(spoken, ([name, all]) => [name, all.length])) }
      : {}),
    ...(arrived.length > asked.length ? { overcome: arrived.length - asked.length } : {}),
    misses: misses.length,
    ...(misses[0] && !cassette && config.run ? { asks: misses[0].incoming.hash } : {}),
    ...(failure?.missed ? { missed: failure.missed } : {}),
    ...(failure?.ended?.length ? { ended: failure.ended } : {}),
    ...(failure ? { failure: inRun(failure) } : {}),
    ...(failure?.pictures?.length ? { differing: picturesOf(failure.pictures, test.asked) } : {}),
    ...(save && config.mode === 'all' ? { prompts: hashOfAll(asked) } : {}),
    unused,
    kept: save && config.mode === 'prompts' ? countKept(counted) : 0,
    ...passedPictures(counted),
    ...forgivenValues(asked),
    ...(failure?.refused === undefined ? {} : { refused: failure.refused }),
    ...(verdict.respelled ? { respelled: verdict.respelled } : {}),
    ...(varying ? { varying } : {}),
    ...(raw === undefined ? {} : { raw }),
    ...(park && !verdict.isUseless ? { parked: true } : {}),
    ...(odd ? { odd: odd.map(({ kind, what }) => ({ kind, what, test: test.id })) } : {}),
    handOvers: handOvers.map(({ headline: what }) => ({ test: test.id, what })),
    saved: replayed.map(countableOf),
    ...(Object.keys(config.prices).length > 0 ? { prices: config.prices } : {}),
    cassette: test.cassette,
    recording: (save ?? cassette)?.timestamp,
    // A failure for an invalid recording alone is no success, which would make the recording valid in the next run.
    passed: passed && failure?.code === 'invalid-recording' ? undefined : passed && !failure,
    invalid: validity
      .objections(save, renews, config)
      .map(({ strategy, reason }) => `${strategy}: ${reason}`),
  }
}

function inRun({ kind, code, headline, cause, adviceAt }: RenderedFailure): FailureInRun {
  return { kind, code, headline, adviceAt, ...(cause ? { cause } : {}) }
}

/** Whether an answer is recorded: one that cost money is kept in any case, an error only with its cassette. */
function isKept(
  recording: CountedRequests['asked'][number]['recording'],
  save?: Cassette,
): boolean {
  return !recording?.error && (save !== undefined || (recording?.response?.status ?? 0) < 400)
}

/** An answer that a fault withheld counts once, however often its client tried again. */
function countKept({ asked, spoiled = [] }: CountedRequests): number {
  const kept = [...spoiled, ...asked].filter((one) => one.kept && !one.takesPrompt)
  return new Set(kept.map(({ replayed }) => replayed)).size
}

function picturesOf(
  pictures: NonNullable<RenderedFailure['pictures']>,
  folder: string,
): NonNullable<CassetteMeta['differing']> {
  return pictures.map(({ name, recorded }) => ({
    asked: `${folder}/${name}`,
    ...(recorded === undefined ? {} : { recorded }),
  }))
}

function passedPictures({
  asked,
  recorded,
  pictures,
}: CountedRequests): Pick<CassetteMeta, 'pictures'> {
  if (!pictures) return {}
  const known = new Map<CountedExchange, Recorded>(recorded.map((one) => [one.exchange, one]))
  const answered = asked.flatMap(({ replayed, kept, incoming }): Array<[Recorded, Incoming]> => {
    const own = replayed && known.get(replayed)
    return own && incoming && !kept ? [[own, incoming]] : []
  })
  const passed = pictures.passed(answered)
  return passed.alike + passed.ignored > 0 ? { pictures: passed } : {}
}

function forgivenValues(asked: CountedRequests['asked']): Pick<CassetteMeta, 'forgiven'> {
  const found = asked.flatMap(({ forgiven = [] }, request) =>
    // A redacted value with a check is compared by it.
    forgiven
      .filter(({ rule = '' }) => !/ [\da-f]+>$/.test(rule))
      .map(({ rule = '', place = '' }) => ({ rule, place, request })),
  )
  if (found.length === 0) return {}
  const forgiven = Array.from(
    Map.groupBy(found, ({ rule }) => rule),
    ([rule, ours]) => ({
      rule,
      places: [...new Set(ours.map(({ place }) => place.replaceAll(/\[\d+\]/g, '[*]')))],
      requests: new Set(ours.map(({ request }) => request)).size,
    }),
  )
  return { forgiven }
}

/** Leaves out the order, since requests sent at the same time can arrive in any. */
function hashOfAll(asked: CountedRequests['asked']): string {
  const hashes = asked.flatMap(({ recording }) => recording?.incoming.hash ?? [])
  return sha256(hashes.toSorted().join())
}
