import { isRecorded, type Cassette } from '../../cassette/cassette.ts'
import { PriceTable, sumUsage, usageOf, type UsageTotal } from '../../conversation/cost.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { veilOf } from '../../secrets/veil.ts'
import { makeChange, type Change } from '../../diff/change.ts'
import { compareExchanges, diffNamed, pairExchanges } from './compare-exchanges.ts'
import { readLasting, type ReadExchange } from './read-exchanges.ts'

export interface CassetteState {
  text: string
  /** Absent if it cannot be read. */
  cassette?: Cassette
  /** Whether it was edited by hand: its seal does not hold. */
  isEdited?: boolean
  /** Why it cannot be read. */
  problem?: string
}

/** Two states of a cassette; one of them is absent if the cassette was added or removed. */
export interface CassettePair {
  /** The path as a person would type it. */
  name: string
  /** Its name before, if it was renamed. */
  was?: string | undefined
  before?: CassetteState | undefined
  after?: CassetteState | undefined
}

export interface CassetteComparison {
  name: string
  was?: string | undefined
  /** The test, for people. */
  title: string
  changes: Change[]
  took: { before: UsageTotal; after: UsageTotal }
  /** The exchanges whose answers were kept when their prompt changed, counted from 1. */
  kept: number[]
}

/** All that one command shows: two secrets that differ do so in all cassettes. */
const SHOWN = {}

/** What a change can hold a piece of. */
function partsOf(exchanges: readonly ReadExchange[]): unknown {
  return exchanges.map(({ prompt, answer }) => [prompt, answer])
}

/** Compares the two states of a cassette. An unreadable one counts as empty. */
export function compareCassettes(
  pair: CassettePair,
  prices: PriceTable = new PriceTable(),
): CassetteComparison {
  const { name, was, before, after } = pair
  const [old, current] = [before, after].map((state) =>
    state?.cassette ? readLasting(state.cassette) : [],
  ) as [ReadExchange[], ReadExchange[]]
  const { cassette } = after ?? before!
  const took = (exchanges: readonly ReadExchange[]): UsageTotal =>
    sumUsage(exchanges.map(({ step }) => usageOf(step, prices)))
  const changes = changesOf(pair, old, current)
  return {
    name,
    was,
    title: (cassette ?? before?.cassette)?.conversationId ?? name,
    changes:
      changes.length > 0 ? veilOf(SHOWN).learn(partsOf(old), partsOf(current)).hide(changes) : [],
    took: { before: took(old), after: took(current) },
    kept: current
      .filter(({ exchange }) => isRecorded(exchange) && exchange.response.kept)
      .map(({ number }) => number),
  }
}

function changesOf(
  { name, was, before, after }: CassettePair,
  old: ReadExchange[],
  current: ReadExchange[],
): Change[] {
  if (!before) return [wholeCassette('added', current)]
  if (!after) return [wholeCassette('removed', old)]
  if (before.text === after.text && was === undefined) return []
  const found = [
    ...(was === undefined ? [] : [renamed(was, name)]),
    ...diffNamed(headOf(before), headOf(after)).map((difference) =>
      makeChange({ ...difference, place: { of: 'cassette', inside: difference.place } }),
    ),
    ...pairExchanges(old, current).flatMap(compareExchanges),
  ]
  if (found.length === 0) return [makeChange({ kind: 'unseen', place: { of: 'cassette' } })]
  // Equal changes are reported once, at the place of the first.
  return [...Map.groupBy(found, ({ key }) => key).values()].map(([first]) => first!)
}

/** The fields of a cassette beside its exchanges, without dates. */
export function headOf({ cassette, isEdited = false }: CassetteState): JsonObject {
  const { params, proposedParams, invalid } = cassette ?? {}
  return JSON.parse(
    JSON.stringify({
      parameters: params,
      'proposed parameters': proposedParams,
      invalid,
      'edited by hand': isEdited || undefined,
    }),
  ) as JsonObject
}

function renamed(was: string, name: string): Change {
  const [before, after] = [was, name].map((text) => ({ type: 'text', text }) as const)
  return makeChange(
    { kind: 'renamed', place: { of: 'cassette' }, before: before!, after: after! },
    {},
  )
}

/** The change of a whole cassette. Its content is shown, but is no part of the key. */
function wholeCassette(kind: 'added' | 'removed', exchanges: ReadExchange[]): Change {
  const place = { of: 'cassette' } as const
  const texts = exchanges.flatMap((exchange) => {
    const { before, after } = compareExchanges([undefined, exchange])[0]!
    const content = after ?? before
    return content?.type === 'text' ? content.text : []
  })
  const content = { type: 'text', text: texts.join('\n') } as const
  return makeChange(
    { kind, place, ...(kind === 'added' ? { after: content } : { before: content }) },
    {},
  )
}
