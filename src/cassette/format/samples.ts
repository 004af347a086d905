import { bySample, type Cassette, type Exchange, sampleIn } from '../cassette.ts'
import type { MergeCassettes } from '../store.ts'
import { idOfPlace } from './id-of-place.ts'

/** The samples that this process has recorded as a whole, by the file of their cassette. */
const renewed: Map<string, Set<number>> = new Map()

/**
 * Merges the recording of one sample of a test with the old one of that sample.
 *
 * @param file the file of the cassette
 */
export function mergeSample(
  file: string,
  old: Cassette,
  fresh: Cassette,
  sample: number,
  merge: MergeCassettes = (_, whole) => whole,
): Cassette {
  const merged = merge({ ...old, exchanges: sampleIn(old, sample) }, fresh)
  const known = renewed.get(file)
  const joined = joinSamples(old, merged, sample, known)
  if (merged.oldestAnswer === undefined && merged.timestamp === fresh.timestamp)
    renewed.set(file, new Set([...(known ?? []), sample]))
  return joined
}

/**
 * Puts the recording of one sample of a test beside the other samples of its cassette.
 *
 * @param fresh the exchanges of that sample alone
 * @param renewed the samples that this process has recorded as a whole, so that their age is that of this run
 */
export function joinSamples(
  old: Cassette,
  fresh: Cassette,
  sample: number,
  renewed?: ReadonlySet<number>,
): Cassette {
  const others = othersOfSample(old, sample)
  if (others.length === 0) return fresh
  const areOld = others.some(({ sample: known = 1 }) => !renewed?.has(known))
  const { oldestAnswer, params: used, invalid, exchanges, ...rest } = fresh
  const isAnew = fresh.timestamp !== old.timestamp
  const before = isAnew ? (old.oldestAnswer ?? old.timestamp) : old.oldestAnswer
  const oldest = areOld ? before : oldestAnswer
  const mark = invalid ?? (areOld ? old.invalid : undefined)
  const params = { ...old.params, ...used }
  return {
    ...rest,
    ...(oldest === undefined ? {} : { oldestAnswer: oldest }),
    ...(mark ? { invalid: mark } : {}),
    ...(Object.keys(params).length > 0 ? { params } : {}),
    exchanges: inTheirOrder([...others, ...exchanges]),
  }
}

/** A cassette without one of its samples; `undefined` where it has no other one. */
export function withoutSample(
  cassette: Cassette | undefined,
  sample: number,
): Cassette | undefined {
  const others = cassette ? othersOfSample(cassette, sample) : []
  return others.length > 0 ? { ...cassette!, exchanges: inTheirOrder(others) } : undefined
}

/** The exchanges of all other samples of a test. */
function othersOfSample({ exchanges }: Cassette, number: number): Exchange[] {
  return exchanges.filter(({ sample = 1 }) => sample !== number)
}

/** Sorts exchanges by their samples, and numbers them anew. A name that a person gave stays. */
function inTheirOrder(exchanges: readonly Exchange[]): Exchange[] {
  // Each sample has ids of its own.
  const ids = new Map<string, string>()
  const nameOf = (id: string, sample = 1): string => `${sample} ${id}`
  return bySample(exchanges).map((exchange, place): Exchange => {
    const { id: before, sample, wire } = exchange
    const id = /^exchange-\d+$/.test(before) ? idOfPlace(place) : before
    ids.set(nameOf(before, sample), id)
    const { after } = wire?.request ?? {}
    const named = after === undefined ? undefined : ids.get(nameOf(after, sample))
    if (!wire || named === after) return { ...exchange, id }
    return {
      ...exchange,
      id,
      wire: { ...wire, request: { ...wire.request, after: named } },
    } as Exchange
  })
}
