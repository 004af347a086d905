import { comparableTo, type Incoming } from '../../engine/incoming.ts'
import type { Recorded } from '../../engine/recorded.ts'
import { laterCases } from '../../features/later-cases.ts'
import { isUnasked } from '../../wire/imported.ts'
import { type KeptTurn, keptTurn } from '../describe.ts'

/**
 * The old exchanges in their places, each replaced by the new turn with its prompt; then the other new turns.
 *
 * @param replacesWritten whether a new turn also replaces what a person wrote for its prompt
 */
export function mergeTurns(
  recorded: readonly Recorded[],
  turns: readonly KeptTurn[],
  replacesWritten: boolean = false,
): KeptTurn[] {
  const left = new Set(turns)
  const byPrompt = Map.groupBy<unknown, KeptTurn>(turns.toReversed(), (turn) =>
    'incoming' in turn ? promptOf(turn.incoming, turn.sample) : turn,
  )
  const nextOf = (key: unknown): KeptTurn | undefined => {
    const alike = byPrompt.get(key) ?? []
    let next = alike.pop()
    while (next && !left.has(next)) next = alike.pop()
    return next
  }
  const nextWith = (fits: (asked: Incoming) => boolean): KeptTurn | undefined =>
    [...left].find((turn) => 'incoming' in turn && fits(turn.incoming))
  const replacing = (known: Recorded): KeptTurn | undefined => {
    const { exchange, incoming } = known
    const sameTurn = nextOf(exchange)
    if (sameTurn) return sameTurn
    if (!incoming)
      return replacesWritten ? nextWith((asked) => laterCases.isMeantFor(known, asked)) : undefined
    if (!incoming.wire.imported) return nextOf(promptOf(incoming, exchange.sample))
    if (isUnasked(incoming.wire)) return undefined
    return nextWith((asked) => comparableTo(incoming, asked).hash === incoming.hash)
  }
  const merged = recorded.map((known) => {
    const turn = replacing(known) ?? keptTurn(known)
    left.delete(turn)
    return turn
  })
  return [...merged, ...left]
}

/** A prompt of one sample of a test. */
function promptOf({ hash }: Incoming, sample = 1): string {
  return `${sample} ${hash}`
}
