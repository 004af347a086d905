import type { TextSpan } from '../json/text-span.ts'

const WORD = /^[\p{L}\p{N}]$/u

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
