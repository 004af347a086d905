import type { MergedTurn } from './merge-exchanges.ts'

/**
 * The exchanges of a new recording in the order of the old one: requests that an application makes at the same time
 * arrive in another order each time. An exchange that the old recording does not have comes after all that were
 * recorded before it. Equal prompts keep their own order, since they are answered in it.
 */
export function inOldOrder(turns: readonly MergedTurn[]): readonly MergedTurn[] {
  if (!turns.every(isMovable)) return turns
  let latest = -1
  const placed = turns.map((turn, index) => {
    const place = turn.place ?? latest
    latest = Math.max(latest, place)
    return { turn, index, place }
  })
  const sorted = placed.toSorted((one, other) => one.place - other.place)
  const equal = Map.groupBy(sorted, ({ turn }) => hashOf(turn))
  const waiting = new Map(
    [...equal].map(([hash, group]) => [
      hash,
      group.toSorted((one, other) => one.index - other.index).values(),
    ]),
  )
  return sorted.map(({ turn }) => waiting.get(hashOf(turn))!.next().value!.turn)
}

/** Not a hand-written exchange, and none of a socket, whose requests stand after each other. */
function isMovable({ turn }: MergedTurn): boolean {
  return 'incoming' in turn && turn.incoming.wire.after === undefined
}

function hashOf({ turn }: MergedTurn): string {
  return 'incoming' in turn ? turn.incoming.hash : ''
}
