import {
  type Cassette,
  isRecorded,
  type RecordedExchange,
  type TimeSpan,
} from '../../cassette/cassette.ts'
import { textOf } from '../../wire/body.ts'
import { orderedAfter, type Turn } from '../describe.ts'
import type { MergedTurn } from './merge-exchanges.ts'

/**
 * Each turn after the same one as in the old recording, where both recordings have it after one. What a pool of
 * workers sends next can follow another response each time.
 */
export function keepAfter(turns: readonly MergedTurn[], old: Cassette): MergedTurn[] {
  const places = new Map(old.exchanges.map(({ id }, place) => [id, place]))
  const byPlace = new Map(turns.map((merged) => [merged.prompt, merged.turn]))
  return turns.map((merged) => {
    const { turn, prompt } = merged
    if (!('incoming' in turn) || turn.after === undefined || prompt === undefined) return merged
    const { wire } = old.exchanges[prompt]!
    const known = wire && orderedAfter(wire.request)
    const before = known === undefined ? undefined : byPlace.get(places.get(known))
    const isBefore = before && 'incoming' in before && isCreatedBefore(before, turn)
    return isBefore ? { ...merged, turn: { ...turn, after: before.name } } : merged
  })
}

function isCreatedBefore({ span: one }: Turn, { span: other }: Turn): boolean {
  return one !== undefined && other !== undefined && one.created < other.created
}

/**
 * The exchanges of a new recording in the order of the old one: responses to requests that are in flight together end
 * in another order each time. An exchange that the old recording does not have comes after all that ended before it.
 * Equal prompts keep their own order, since they are answered in it. Where a new prompt shows that the order of two
 * responses has decided what was asked, the order is the new one.
 */
export function inOldOrder(
  turns: readonly MergedTurn[],
  old: Cassette,
  fresh: Cassette,
): readonly MergedTurn[] {
  if (!turns.every(isMovable)) return turns
  let latest = -1
  const placed = turns.map((turn) => {
    const place = turn.place ?? latest
    latest = Math.max(latest, place)
    return { turn, place }
  })
  const sorted = placed.toSorted((one, other) => one.place - other.place)
  const waiting = Map.groupBy(turns, hashOf)
  const settled = sorted.map(({ turn }) => waiting.get(hashOf(turn))!.shift()!)
  return isInOrder(settled) && !hasDecided(turns, old, fresh) ? settled : turns
}

/** Not a hand-written exchange, and none of a socket, whose requests stand after each other. */
function isMovable({ turn }: MergedTurn): boolean {
  return 'incoming' in turn && turn.incoming.wire.method !== 'SEND'
}

function hashOf({ turn }: MergedTurn): string {
  return 'incoming' in turn ? turn.incoming.hash : ''
}

/** Whether each turn stands behind the one after which it was sent. */
function isInOrder(turns: readonly MergedTurn[]): boolean {
  const places = new Map(turns.map(({ turn }, place) => ['name' in turn ? turn.name : '', place]))
  return turns.every(({ turn }, place) => {
    const after = 'after' in turn ? turn.after : undefined
    return after === undefined || (places.get(after) ?? -1) < place
  })
}

/** An exchange of the new recording, and the one in whose place it stands. */
interface Pair {
  now: RecordedExchange & { span: TimeSpan }
  old?: RecordedExchange | undefined
  isSamePrompt: boolean
}

/**
 * Whether a prompt that the old recording does not have depends on which of two responses ended first: a race that
 * another model won, or a list of responses as they came.
 */
function hasDecided(turns: readonly MergedTurn[], old: Cassette, fresh: Cassette): boolean {
  const pairs = turns.flatMap(({ place = -1, prompt }, index): Pair[] => {
    const [now, known] = [fresh.exchanges[index]!, old.exchanges[place]]
    if (!isRecorded(now) || !now.span) return []
    const pair = { now: { ...now, span: now.span }, isSamePrompt: prompt !== undefined }
    return [{ ...pair, old: known && isRecorded(known) ? known : undefined }]
  })
  const changed = pairs.filter(({ isSamePrompt }) => !isSamePrompt)
  if (changed.length === 0) return false
  const places = new Map(old.exchanges.map((exchange, place) => [exchange, place]))
  const placeOf = (pair: Pair): number => (pair.old ? places.get(pair.old)! : -1)
  return pairs.some((first) =>
    pairs.some((second) => {
      const hasTurned = placeOf(second) >= 0 && placeOf(second) < placeOf(first)
      if (!hasTurned || first.now.span.ended > second.now.span.ended) return false
      return changed.some(
        (asked) => asked.now.span.created > first.now.span.ended && depends(asked, first, second),
      )
    }),
  )
}

/** Whether a prompt holds other responses of two than before, or the two in the order in which they ended. */
function depends(asked: Pair, first: Pair, second: Pair): boolean {
  const held = orderIn(asked.now, first.now, second.now)
  if (held === '') return false
  if (asked.old) return held !== orderIn(asked.old, first.old!, second.old!)
  return held !== (first.now.span.created < second.now.span.created ? '12' : '21')
}

/** Which of two responses a prompt holds, in which order. */
function orderIn({ wire }: RecordedExchange, ...two: RecordedExchange[]): string {
  const body = textOf(wire.request.body)
  return two
    .map(({ response: { text } }, at) => ({
      name: String(at + 1),
      place: text === '' ? -1 : body.indexOf(JSON.stringify(text).slice(1, -1)),
    }))
    .filter(({ place }) => place >= 0)
    .toSorted((one, other) => one.place - other.place)
    .map(({ name }) => name)
    .join('')
}
