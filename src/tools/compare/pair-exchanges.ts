import { alignSequences, pairOpposites } from '../../diff/align.ts'
import { messageTexts } from '../../diff/message-key.ts'
import { compareSketches, sketchWords } from '../../diff/similarity.ts'
import { rememberFor } from '../../remember.ts'
import type { ReadExchange } from './read-exchanges.ts'

/** Two exchanges that belong together, or one that was added or removed. */
export type ExchangePair = [before: ReadExchange | undefined, after: ReadExchange | undefined]

/** The least similarity of two exchanges that belong together. */
const ALIKE = 0.2

/** Pairs the exchanges of two recordings of a test, in their order. */
export function pairExchanges(
  before: readonly ReadExchange[],
  after: readonly ReadExchange[],
): ExchangePair[] {
  const keys = [before, after].map((side) => side.map(({ key }) => key))
  return alignSequences(keys[0]!, keys[1]!).flatMap(({ same, recorded, received }) => {
    const [old, current] = [before.slice(...recorded), after.slice(...received)]
    if (same) return old.map((one, index): ExchangePair => [one, current[index]])
    // Equal numbers on both sides are most likely the same questions.
    if (old.length === current.length)
      return old.map((one, index): ExchangePair => [one, current[index]])
    return pairOpposites(old.length, current.length, (i, j) => score(old[i]!, current[j]!)).map(
      ([i, j]): ExchangePair => [old[i ?? -1], current[j ?? -1]],
    )
  })
}

/** The similarity of two exchanges. That of either the prompts or the answers is enough. */
function score(one: ReadExchange, other: ReadExchange): number {
  const [before, after] = [sketchesOf(one), sketchesOf(other)]
  const shared = Math.max(
    compareSketches(before.asked, after.asked),
    compareSketches(before.answered, after.answered) * 0.9,
  )
  return shared < ALIKE ? 0 : shared
}

const sketchesOf = rememberFor(({ fresh, answer }: ReadExchange) => ({
  asked: sketchWords(fresh.flatMap(messageTexts)),
  answered: sketchWords(messageTexts(answer)),
}))
