import type { TextSpan } from './text-span.ts'

/** Whether a value can begin, or end, at a position of a text. */
export interface Borders {
  begins: (text: string, at: number) => boolean
  ends: (text: string, at: number) => boolean
}

/** A value is no part of a longer word or number. */
const BETWEEN_WORDS: Borders = { begins: isBetweenWords, ends: isBetweenWords }

/** No letter or digit stands beside a value, nor the rest of a decimal: 4711 is not in 14711, and not in 4711.5. */
export const APART: Borders = {
  begins: (text, at) =>
    !isWord(text, before(text, at)) && !/^\d[.,]\d/.test(text.slice(Math.max(at - 2, 0), at + 1)),
  ends: (text, at) => !isWord(text, at) && !/^\d[.,]\d/.test(text.slice(at - 1, at + 2)),
}

/** Texts and their replacements, found as whole values. */
export class WholeWords {
  readonly #borders: Borders
  readonly #replacements: Map<string, string> = new Map()
  /** The lengths of the texts, the longest first. There are few: ids of one provider share their length. */
  #lengths: readonly number[] = []
  readonly #firsts: Set<number> = new Set()

  constructor(borders: Borders = BETWEEN_WORDS) {
    this.#borders = borders
  }

  get size(): number {
    return this.#replacements.size
  }

  get(text: string): string | undefined {
    return this.#replacements.get(text)
  }

  set(text: string, replacement: string): void {
    this.#replacements.set(text, replacement)
    this.#firsts.add(text.codePointAt(0)!)
    if (!this.#lengths.includes(text.length))
      this.#lengths = [...this.#lengths, text.length].toSorted((one, other) => other - one)
  }

  delete(text: string): void {
    this.#replacements.delete(text)
  }

  /** Those of the texts that pass a test. */
  only(isWanted: (text: string) => boolean): WholeWords {
    const words = new WholeWords(this.#borders)
    for (const [text, replacement] of this.#replacements)
      if (isWanted(text)) words.set(text, replacement)
    return words
  }

  /** The replacements, each replaced by its text. */
  inverted(): WholeWords {
    const words = new WholeWords(this.#borders)
    for (const [text, replacement] of this.#replacements) words.set(replacement, text)
    return words
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
    if (!this.#borders.begins(text, at)) return undefined
    for (const length of this.#lengths) {
      const end = at + length
      const candidate = text.slice(at, end)
      if (candidate.length < length || !this.#replacements.has(candidate)) continue
      if (this.#borders.ends(text, end)) return candidate
    }
    return undefined
  }
}

/** Pairs of values, found as whole values. Each value of a pair can replace the other. */
export class Swap {
  /** Replaces the first value of each pair by the second. */
  readonly there: WholeWords = new WholeWords()
  #back?: WholeWords | undefined

  /** Replaces the second value of each pair by the first; of a second one that several have, by the last of these. */
  get back(): WholeWords {
    return (this.#back ??= this.there.inverted())
  }

  /** Makes a pair of two values, in the place of an earlier one of the first; none, if both are the same. */
  set(value: string, other: string): void {
    const known = this.there.get(value)
    if (known === (value === other ? undefined : other)) return
    if (known === undefined) this.#back?.set(other, value)
    else this.#back = undefined
    if (value === other) this.there.delete(value)
    else this.there.set(value, other)
  }
}

function isBetweenWords(text: string, at: number): boolean {
  return !isWord(text, at) || !isWord(text, before(text, at))
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
