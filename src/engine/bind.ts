import { CLOCKS } from '../prompt/named-rules.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceTexts } from '../wire/replace-texts.ts'
import { WholeWords } from './whole-words.ts'
import type { Incoming } from './incoming.ts'

/** A value of the recording, and what stands in its place in this run. */
export interface Pair {
  recorded: string
  live: string
  /** What declared it; absent where it is not a volatile value. */
  rule?: string
}

/** Two pairs that cannot both be true: one of their values is the same, the other is not. */
export interface Conflict {
  before: Pair
  now: Pair
}

/** The pairs that make two requests of one hash the same. */
export function pairsBetween(recorded: Incoming, live: Incoming): Pair[] {
  // A redacted value can be one that varies, and is found only where it is known.
  if (recorded.volatile.length !== live.volatile.length) return []
  return recorded.volatile.map(({ value, rule }, index) => ({
    recorded: value,
    live: live.volatile[index]!.value,
    rule,
  }))
}

/**
 * Which value of this run stands for which recorded one, through all the conversations of a test. One
 * value stands for one: a request that would say otherwise is not the recorded one.
 */
export class Bindings {
  readonly #byRecorded: Map<string, Pair> = new Map()
  readonly #byLive: Map<string, Pair> = new Map()
  /** Live values that an answer was given; the application may send them back from anywhere. */
  readonly #given: Set<string> = new Set()

  /** Requests that were the recorded ones, word for word: their values are read when a pair could contradict them. */
  readonly #equal: Incoming[] = []
  #differ = false
  #toLive?: WholeWords
  #toRecorded?: WholeWords

  /** True when a value of this run is not the recorded one, whether answers are bound to it or not. */
  get differ(): boolean {
    return this.#differ
  }

  /** True when every value is the recorded one. */
  get none(): boolean {
    return this.#changed().length === 0
  }

  /** The first of the pairs that contradicts what is bound; `undefined` when none does. */
  conflictOf(pairs: readonly Pair[]): Conflict | undefined {
    if (pairs.length > 0)
      for (const equal of this.#equal.splice(0)) this.add(pairsBetween(equal, equal))
    for (const now of pairs) {
      const before = this.#byRecorded.get(now.recorded)
      if (before && before.live !== now.live) return { before, now }
      const other = this.#byLive.get(now.live)
      if (other && other.recorded !== now.recorded && !areClocks(other, now))
        return { before: other, now }
    }
    return undefined
  }

  /** Adds a request that is the recorded one, word for word. */
  addEqual(recorded: Incoming): void {
    this.#equal.push(recorded)
  }

  /** Adds the pairs of a request that was matched. */
  add(pairs: readonly Pair[]): void {
    for (const pair of pairs) {
      if (pair.recorded !== pair.live) this.#differ = true
      this.#byRecorded.set(pair.recorded, pair)
      this.#byLive.set(pair.live, pair)
      this.#toLive = this.#toRecorded = undefined
    }
  }

  /** The answer with the values of this run in place of the recorded ones. */
  bind(response: WireResponse): WireResponse {
    if (this.#byRecorded.size === 0) return response
    const live = (this.#toLive ??= wordsOf(this.#changed(), 'recorded', 'live'))
    if (live.size === 0) return response
    const body = replaceTexts(response.body, (text) => {
      const spans = live.find(text)
      for (const span of spans) this.#given.add(span.text)
      return spans
    })
    return body === response.body ? response : { ...response, body }
  }

  /**
   * The request with the values that answers were given turned back into the recorded ones;
   * `undefined` where there are none. An application that repeats an answer does so in places that
   * nobody declared.
   */
  undo(incoming: Pick<Incoming, 'wire'>): WireRequest | undefined {
    const given = this.#changed().filter(({ live }) => this.#given.has(live))
    return replaced(incoming.wire, wordsOf(given, 'live', 'recorded'))
  }

  /** Pairs of a request that was undone: what stands for the recorded values is known again. */
  redo(pairs: readonly Pair[]): Pair[] {
    return pairs.map((pair) => {
      const known = this.#byRecorded.get(pair.live)
      return known && this.#given.has(known.live) ? { ...pair, live: known.live } : pair
    })
  }

  /** A request or an answer of this run as it would have been in the recording. */
  unbind<T extends WireRequest | WireResponse>(message: T): T {
    this.#toRecorded ??= wordsOf(this.#changed(), 'live', 'recorded')
    return replaced(message, this.#toRecorded) ?? message
  }

  #changed(): Pair[] {
    return [...this.#byRecorded.values()].filter(isBindable)
  }
}

/** A replay is faster than its recording, so that two of its times can be one in this run. */
function areClocks(one: Pair, other: Pair): boolean {
  return CLOCKS.has(one.rule ?? '') && CLOCKS.has(other.rule ?? '')
}

/** False for values that are found by chance: short numbers, and ordinary words at a path. */
function isBindable({ recorded, live, rule = '' }: Pair): boolean {
  if (recorded === live) return false
  return [recorded, live].every((value) => {
    if (/^[[{]/.test(value)) return false
    if (rule.startsWith('$')) return value.length >= 4 && /\d/.test(value)
    return value.length >= (/^\d+$/.test(value) ? 4 : 2)
  })
}

function wordsOf(
  pairs: readonly Pair[],
  from: 'recorded' | 'live',
  to: 'recorded' | 'live',
): WholeWords {
  const words = new WholeWords()
  for (const pair of pairs) words.set(pair[from], pair[to])
  return words
}

/** A message with the words of one run in the place of those of the other; `undefined` where it has none. */
function replaced<T extends WireRequest | WireResponse>(
  message: T,
  words: WholeWords,
): T | undefined {
  if (words.size === 0) return undefined
  const body = replaceTexts(message.body, (text) => words.find(text))
  return body === message.body ? undefined : { ...message, body }
}
