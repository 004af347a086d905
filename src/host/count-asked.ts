import type { Cassette, Exchange } from '../cassette/format/cassette.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { PriceTable } from '../conversation/cost/cost.ts'
import { countStored } from '../conversation/cost/count-stored.ts'
import { sumUsage, type UsageTotal } from '../conversation/cost/usage.ts'
import type { Cause } from '../explain/cause.ts'
import type { Explanation } from '../explain/explain.ts'
import type { Verdict } from '../explain/judge.ts'
import type { TestIdentity } from '../engine/session-options.ts'
import type { Incoming } from '../engine/incoming.ts'
import type { Recorded } from '../engine/recorded.ts'
import type { PassedPictures, PictureComparer } from '../pictures/compare-pictures.ts'
import type { ValidityVerdict } from '../validity/strategy.ts'

/** What a test asked, in figures: `task.meta.cassette`. It travels to reporters, shards and blobs. */
export interface CassetteMeta {
  /** Exchanges answered from the cassette. */
  replayed: number
  /** Steps that speakers of the test answered, by speaker: nobody recorded them. */
  spoken?: Record<string, number>
  /** Exchanges recorded in this run. */
  recorded: number
  /** Requests that nothing answered. */
  misses: number
  /** Why it fails, where other tests can fail for the same. */
  cause?: Cause
  /** Pictures that its failure shows: what was asked, and what was recorded in its place; from where the user stands. */
  differing?: Array<{ asked: string; recorded?: string }>
  /** The hash of the first prompt of a test that has no cassette. */
  asks?: string
  /** Exchanges of the cassette that were not asked for. */
  unused: number
  /** Answers that were kept for a changed prompt in mode `prompts`. */
  kept: number
  /** Pictures that were not the recorded files, and passed for them; absent where none was. */
  pictures?: PassedPictures
  /** Where conversations left their recording in mode `new`: one line for each, with the test. */
  handOvers: string[]
  /** What replay saved: tokens, time and cost of the exchanges that were replayed. */
  saved: UsageTotal
  /** The path of the cassette, from where the user stands. */
  cassette: string
  /** When the cassette last changed; absent where there is none. */
  recording?: string
  /** Whether the test did what it should; absent where it did, and failed because its recording is no longer valid. */
  passed?: boolean
  /** Why its recording is no longer valid; empty where it is. */
  invalid: string[]
}

/** What is counted of an attempt; a session has it. */
interface Counted {
  test: Pick<TestIdentity, 'id' | 'cassette' | 'asked'>
  asked: ReadonlyArray<{
    replayed?: Exchange
    kept?: true
    speaker?: string
    incoming?: Incoming
  }>
  recorded: readonly Recorded[]
  pictures?: PictureComparer<Incoming>
  misses: ReadonlyArray<{ incoming: { hash: string } }>
  cassette?: Cassette
  config: ResolvedConfig
  validity: { verdicts: ValidityVerdict[] }
}

/**
 * Counts what an attempt asked.
 *
 * @param passed the test did what it should, were it not for its requests
 * @param verdict what followed from it, where that had to be asked
 */
export function countAsked(counted: Counted, passed: boolean, verdict: Verdict = {}): CassetteMeta {
  const { test, asked, misses, cassette, config } = counted
  const { unused = 0, handOvers = [], failure, save, renews } = verdict
  const replayed = asked.flatMap(({ replayed, speaker }) => (speaker ? [] : (replayed ?? [])))
  const spoken = Map.groupBy(
    asked.flatMap(({ speaker }) => speaker ?? []),
    (name) => name,
  )
  const prices = new PriceTable(config.prices)
  return {
    replayed: replayed.length,
    recorded: asked.filter(({ replayed }) => !replayed).length,
    ...(spoken.size > 0
      ? { spoken: Object.fromEntries(Array.from(spoken, ([name, all]) => [name, all.length])) }
      : {}),
    misses: misses.length,
    ...(misses[0] && !cassette && config.recordRun ? { asks: misses[0].incoming.hash } : {}),
    ...(failure?.cause ? { cause: failure.cause } : {}),
    ...(failure?.pictures?.length ? { differing: picturesOf(failure.pictures, test.asked) } : {}),
    unused,
    kept: save ? asked.filter(({ kept }) => kept).length : 0,
    ...passedPictures(counted),
    handOvers: handOvers.map(({ headline }) => `${test.id}: ${headline}`),
    saved: sumUsage(replayed.map((exchange) => countStored(exchange, prices))),
    cassette: test.cassette,
    recording: (save ?? cassette)?.timestamp,
    // A test that only its recording fails says nothing of it: a success would make it valid in the next run.
    passed: passed && failure?.code === 'invalid-recording' ? undefined : passed && !failure,
    invalid: save && renews ? [] : reasonsOf(counted),
  }
}

function picturesOf(
  pictures: NonNullable<Explanation['pictures']>,
  folder: string,
): NonNullable<CassetteMeta['differing']> {
  return pictures.map(({ name, recorded }) => ({
    asked: `${folder}/${name}`,
    ...(recorded === undefined ? {} : { recorded }),
  }))
}

function passedPictures({ asked, recorded, pictures }: Counted): Pick<CassetteMeta, 'pictures'> {
  if (!pictures) return {}
  const known = new Map(recorded.map((one) => [one.exchange, one]))
  const answered = asked.flatMap(({ replayed, kept, incoming }): Array<[Recorded, Incoming]> => {
    const own = replayed && known.get(replayed)
    return own && incoming && !kept ? [[own, incoming]] : []
  })
  const passed = pictures.passed(answered)
  return passed.alike + passed.ignored > 0 ? { pictures: passed } : {}
}

function reasonsOf({ validity }: Counted): string[] {
  return validity.verdicts
    .filter(({ valid }) => !valid)
    .map(({ strategy, reason }) => `${strategy}: ${reason}`)
}
