import { CLOCKS, TIMES } from '../prompt/named-rules.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceTexts } from '../wire/replace-texts.ts'
import type { Incoming } from './incoming.ts'
import { replaceSpans, type TextSpan } from '../json/text-span.ts'
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
  #toLive?: WholeWords
  #toRecorded?: WholeWords

  /** True when a value of this run differs from the recorded one, even if it is not replaced in answers. */
  get differ(): boolean {
    return this.#differ
  }

  /** True when no value is replaced in answers. */
  get none(): boolean {
    return this.#changed().length === 0
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
      const { recorded, live, rule } = pair
      const before = this.#byRecorded.get(recorded)
      if (recorded !== live) this.#differ = true
      this.#byRecorded.set(recorded, pair)
      this.#byLive.set(live, pair)
      if (before?.live === live && before.rule === rule) continue
      if (before) this.#toLive = this.#toRecorded = undefined
      else if (isBindable(pair)) {
        this.#toLive?.set(recorded, live)
        this.#toRecorded?.set(live, recorded)
      }
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
    const headers = boundHeaders(response.headers, live)
    const isSame = body === response.body && headers === response.headers
    return isSame ? response : { ...response, headers, body }
  }

  /**
   * The request with the live values from answers turned back into the recorded ones; `undefined` where the
   * request contains none. An application also repeats answers at places that no volatile rule covers.
   */
  undo(incoming: Pick<Incoming, 'wire'>): WireRequest | undefined {
    const given = this.#changed().filter(({ live }) => this.#given.has(live))
    return replaced(incoming.wire, wordsOf(given, 'live', 'recorded'))
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
    this.#toRecorded ??= wordsOf(this.#changed(), 'live', 'recorded')
    return replaced(message, this.#toRecorded) ?? message
  }

  #changed(): ValuePair[] {
    return [...this.#byRecorded.values()].filter(isBindable)
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

function wordsOf(
  pairs: readonly ValuePair[],
  from: 'recorded' | 'live',
  to: 'recorded' | 'live',
): WholeWords {
  const words = new WholeWords()
  for (const pair of pairs) words.set(pair[from], pair[to])
  return words
}

/** The message with each word replaced; `undefined` where it contains none of them. */
function replaced<T extends WireRequest | WireResponse>(
  message: T,
  words: WholeWords,
): T | undefined {
  if (words.size === 0) return undefined
  const body = replaceTexts(message.body, (text) => words.find(text))
  return body === message.body ? undefined : { ...message, body }
}

/** Texts and their replacements, found as whole values: never as a part of a longer word or number. */
export class WholeWords {
  readonly #replacements: Map<string, string> = new Map()
  /** The lengths of the texts, the longest first. There are few: ids of one provider share their length. */
  #lengths: readonly number[] = []
  readonly #firsts: Set<number> = new Set()

  get size(): number {
    return this.#replacements.size
  }

  set(text: string, replacement: string): void {
    this.#replacements.set(text, replacement)
    this.#firsts.add(text.codePointAt(0)!)
    if (!this.#lengths.includes(text.length))
      this.#lengths = [...this.#lengths, text.length].toSorted((one, other) => other - one)
  }

  /** The occurrences in a text from left to right, the longest at each place. */
  find(text: string): TextSpan[] {
    const spans: TextSpan[] = []
    for (let at = 0; at < text.length;) {
      const first = text.codePointAt(at)!
      const found = this.#firsts.has(first) ? this.#foundAt(text, at) : undefined
      if (found === undefined) at += first > 0xffff ? 2 : 1
      else {
        spans.push({ start: at, end: at + found.length, text: this.#replacements.get(found)! })
        at += found.length
      }
    }
    return spans
  }

  #foundAt(text: string, at: number): string | undefined {
    if (isWord(text, at) && isWord(text, before(text, at))) return undefined
    for (const length of this.#lengths) {
      const end = at + length
      const candidate = text.slice(at, end)
      if (candidate.length < length || !this.#replacements.has(candidate)) continue
      if (!isWord(text, end) || !isWord(text, before(text, end))) return candidate
    }
    return undefined
  }
}

/** Whether a letter or a digit stands at a place. */
function isWord(text: string, at: number): boolean {
  const code = text.codePointAt(at)
  if (code === undefined) return false
  if (code > 0x7f) return WORD.test(String.fromCodePoint(code))
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/** The place of the character before a place. */
function before(text: string, at: number): number {
  const isPair = at > 1 && text.codePointAt(at - 2)! > 0xffff
  return isPair ? at - 2 : at - 1
}

const WORD = /^[\p{L}\p{N}]$/u
