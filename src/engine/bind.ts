import { Swap, type WholeWords } from '../json/swap.ts'
import { CLOCKS, TIMES } from '../prompt/named-rules.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceInBody } from '../wire/replace-texts.ts'
import type { Incoming } from './incoming.ts'
import { replaceSpans } from '../json/text-span.ts'
import { MAY_BE_PLACEHOLDER } from '../text/holds-text.ts'
import { PLACEHOLDER } from '../text/placeholders.ts'

/** A recorded value, and the value that this run has in its place. */
export interface ValuePair {
  recorded: string
  live: string
  /** The volatile rule that found the value; absent where the value is not volatile. */
  rule?: string
  /** The path of the value in the body, for a volatile value. */
  place?: string
}

/** Two pairs that cannot both be true: one of their values is the same, the other is not. */
export interface Conflict {
  before: ValuePair
  now: ValuePair
}

/** Pairs the volatile values of two requests that have the same hash. */
export function pairsBetween(recorded: Incoming, live: Incoming): ValuePair[] {
  // Redaction can hide a volatile value in one of the two requests, so the counts can differ.
  if (recorded.volatile.length !== live.volatile.length) return []
  return recorded.volatile.map(({ value, rule }, index) => ({
    recorded: value,
    live: live.volatile[index]!.value,
    rule,
    place: live.volatile[index]!.place,
  }))
}

/**
 * Maps recorded values to the values of this run, across all conversations of a test. The mapping is one-to-one:
 * a request that contradicts it does not match. Times are exempt, since two of them can be equal by chance.
 */
export class Bindings {
  readonly #byRecorded: Map<string, ValuePair> = new Map()
  readonly #byLive: Map<string, ValuePair> = new Map()
  /** Live values that were put into answers; the application may send them back at any place. */
  readonly #given: Set<string> = new Set()

  /** Requests that equal the recorded ones word for word. Their values are read when a pair could contradict them. */
  readonly #equal: Incoming[] = []
  #differ = false
  /** The recorded values that are replaced in responses, and those of this run; made for the first of them. */
  #swap?: Swap

  /** True when a value of this run differs from the recorded one, even if it is not replaced in answers. */
  get differ(): boolean {
    return this.#differ
  }

  /** True when no value is replaced in answers. */
  get none(): boolean {
    return !this.#swap?.there.size
  }

  /** The first pair that contradicts an earlier one; `undefined` when none does. */
  conflictOf(pairs: readonly ValuePair[]): Conflict | undefined {
    if (pairs.length > 0)
      for (const equal of this.#equal.splice(0)) this.add(pairsBetween(equal, equal))
    for (const now of pairs) {
      if (TIMES.has(now.rule ?? '')) continue
      const before = this.#byRecorded.get(now.recorded)
      if (before && before.live !== now.live) return { before, now }
      const other = this.#byLive.get(now.live)
      // A replay is faster than its recording, so two recorded dates can be the same date in this run.
      const areDates = CLOCKS.has(other?.rule ?? '') && CLOCKS.has(now.rule ?? '')
      if (other && other.recorded !== now.recorded && !areDates) return { before: other, now }
    }
    return undefined
  }

  /** Adds a request that equals the recorded one word for word. */
  addEqual(recorded: Incoming): void {
    this.#equal.push(recorded)
  }

  /** Adds the pairs of a request that was matched. */
  add(pairs: readonly ValuePair[]): void {
    for (const pair of pairs) {
      const { recorded, live } = pair
      if (recorded !== live) this.#differ = true
      this.#byRecorded.set(recorded, pair)
      this.#byLive.set(live, pair)
      if (isBindable(pair)) (this.#swap ??= new Swap()).set(recorded, live)
      else this.#swap?.set(recorded, recorded)
    }
  }

  /** The answer with the values of this run in place of the recorded ones. */
  bind(response: WireResponse): WireResponse {
    if (!this.#swap) return response
    const { there } = this.#swap
    const bound = replaceInBody(response, (text) => {
      const spans = there.find(text)
      for (const span of spans) this.#given.add(span.text)
      return spans
    })
    const headers = boundHeaders(response.headers, there)
    return headers === response.headers ? bound : { ...bound, headers }
  }

  /**
   * The request with the live values from answers turned back into the recorded ones; `undefined` where the
   * request contains none. An application also repeats answers at places that no volatile rule covers.
   */
  undo(incoming: Pick<Incoming, 'wire'>): WireRequest | undefined {
    if (this.#given.size === 0) return undefined
    const given = this.#swap!.back.only((live) => this.#given.has(live))
    const undone = replaceInBody(incoming.wire, (text) => given.find(text))
    return undone === incoming.wire ? undefined : undone
  }

  /** Restores the live values in the pairs of a request that {@link Bindings.undo} changed. */
  redo(pairs: readonly ValuePair[]): ValuePair[] {
    return pairs.map((pair) => {
      const known = this.#byRecorded.get(pair.live)
      return known && this.#given.has(known.live) ? { ...pair, live: known.live } : pair
    })
  }

  /** A request or an answer of this run with the recorded values in place of the live ones. */
  unbind<T extends WireRequest | WireResponse>(message: T): T {
    return this.#swap ? replaceInBody(message, (text) => this.#swap!.back.find(text)) : message
  }
}

/** Headers with other placeholders for the values of redaction rules. Other values in headers are no texts. */
function boundHeaders(headers: WireResponse['headers'], live: WholeWords): WireResponse['headers'] {
  if (!Object.values(headers).some((value) => MAY_BE_PLACEHOLDER.test(value))) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll(PLACEHOLDER, (whole) => replaceSpans(whole, live.find(whole))),
    ]),
  )
}

/** False for equal values, JSON, and values that texts can contain by chance: short numbers, words found by a path. */
function isBindable({ recorded, live, rule = '' }: ValuePair): boolean {
  if (recorded === live) return false
  return [recorded, live].every((value) => {
    if (/^[[{]/.test(value)) return false
    if (rule.startsWith('$')) return value.length >= 4 && /\d/.test(value)
    return value.length >= (/^\d+$/.test(value) ? 4 : 2)
  })
}
