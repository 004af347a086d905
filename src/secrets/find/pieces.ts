import { placesOf, type TextSpan } from '../../json/text-span.ts'
import { isRandom } from './is-random.ts'

/** So many characters of a secret in a row are a piece of it: of one that is long, and of a shorter one. */
const [OF_LONG, OF_SHORT] = [12, 8]

/** The length from which a secret is long. */
const LONG = 24

/** Line breaks, as they are and as JSON and programs spell them. */
const LINE_BREAK = /(?:\s*[\r\n]|\\{1,8}[nr])+\s*/

/** The rows of characters of one length with the names of their secrets, and a cheap check of whether one may begin. */
interface Rows {
  names: Map<string, string>
  may: Uint8Array
}

const MASK = 0xffff

/** A number for the row of characters at a place. */
function markAt(text: string, at: number, size: number): number {
  const [first, third, last] = [at, at + 2, at + size - 1]
  return (
    ((text.charCodeAt(first) << 10) ^ (text.charCodeAt(third) << 5) ^ text.charCodeAt(last)) & MASK
  )
}

/** Finds pieces of secrets: a layout or an application may have cut them. */
export class Pieces {
  readonly #known = new Set<string>()
  /** Secrets of words, whose pieces are words as well. */
  readonly #wholes = new Map<string, string>()
  /** Made when there is a secret: most texts that are shown together have none. */
  readonly #rows = new Map<number, Rows>()

  /** @param name what stands in the place of its pieces */
  add(secret: string, name: string): void {
    if (this.#known.has(secret)) return
    this.#known.add(secret)
    const lines = secret.split(LINE_BREAK).filter((line) => !/^-{3,}|-{3,}$/.test(line))
    for (const line of lines) if (line.length >= OF_SHORT) this.#addLine(line, name)
  }

  #addLine(line: string, name: string): void {
    if (line.length < LONG && !isRandom(line)) return void this.#wholes.set(line, name)
    const size = line.length < LONG ? OF_SHORT : OF_LONG
    const { names, may } = this.#rows.get(size) ?? {
      names: new Map<string, string>(),
      may: new Uint8Array(MASK + 1),
    }
    this.#rows.set(size, { names, may })
    for (let at = 0; at + size <= line.length; at++) {
      const row = line.slice(at, at + size)
      if (!names.has(row)) names.set(row, name)
      may[markAt(line, at, size)] = 1
    }
  }

  /** The pieces in a text, each with its name. */
  in(text: string): TextSpan[] {
    const spans: TextSpan[] = []
    for (const [whole, name] of this.#wholes)
      for (const place of placesOf(whole, text)) spans.push({ ...place, text: name })
    for (const [size, { names, may }] of this.#rows) {
      for (let at = 0; at + size <= text.length; at++) {
        // Nearly every place ends here.
        if (may[markAt(text, at, size)] === 0) continue
        const name = names.get(text.slice(at, at + size))
        if (name === undefined) continue
        const last = spans.at(-1)
        if (last && last.start <= at && at < last.end && last.text === name) last.end = at + size
        else spans.push({ start: at, end: at + size, text: name })
      }
    }
    return spans
  }
}
