import { isCountedHere } from '../prompt/request-hash.ts'
import { sha256 } from '../prompt/sha256.ts'
import { readTextAnswer, type TextAnswer } from './read-text-answer.ts'

/** What stands before the exchanges of a file about which nothing else decides, but its parameters. */
const HEAD =
  /^\{\n(?: {2}"\$schema": "[^"\\\n]*",\n)? {2}"version": "2\.\d+",\n {2}"conversation_id": "(?:[^"\\\n]|\\.)*",\n(?: {2}"params": ([^]*),\n)?$/

/** What ends a file, behind all that its seal covers. */
const TAIL = /^"seal": "([\w-]{43})"\s*\}\s*$/

interface LastLine {
  timestamp?: string
  rules?: ReadonlyArray<number | string>
  hashes?: readonly string[]
}

/**
 * A cassette whose seal holds, so that its lines are those that were written: what it answers is found in its text. No
 * JSON of a request or of a response is parsed.
 */
export class SealedFile {
  /** The file; each byte is a character, since all that is looked for is ASCII. */
  #text: string
  /** Where each exchange ends. */
  readonly #ends: number[] = []
  #scanned: number
  /** The hashes of each exchange: `<canonical>.<raw>.<response>`. */
  readonly hashes: readonly string[]
  /** When it last changed. */
  readonly timestamp: string
  /** The text of what stands between its name and its exchanges: the parameters of its recording. */
  readonly params: string | undefined
  /** Whether something beside the hashes decides about the answers, so that they are given in their order alone. */
  readonly isInOrder: boolean

  private constructor(
    text: string,
    start: number,
    { hashes = [], timestamp = '' }: LastLine,
    params: string | undefined,
  ) {
    this.params = params
    this.#text = text
    this.#scanned = start
    this.hashes = hashes
    this.timestamp = timestamp
    this.isInOrder = text.includes('\n        "after": ') || text.includes('\n        "imported": ')
  }

  /**
   * Reads a file; `undefined` for one without a seal that holds, whose hashes were counted by other rules, or that has
   * samples. The engine reads those.
   */
  static read(bytes: Buffer): SealedFile | undefined {
    const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    const read = isMarked ? bytes.subarray(3) : bytes
    const isWindows = read.includes('\r')
    const text = isWindows
      ? read.toString('latin1').replaceAll('\r\n', '\n')
      : read.toString('latin1')
    const end = Math.max(text.lastIndexOf('"seal"'), 2)
    const [, seal] = TAIL.exec(text.slice(end)) ?? []
    const start = text.indexOf('  "exchanges": [\n')
    const head = HEAD.exec(text.slice(0, Math.max(start, 0)))
    if (seal === undefined || !head) return undefined
    const sealed = isWindows ? Buffer.from(text.slice(0, end), 'latin1') : read.subarray(0, end)
    if (sha256(sealed, 'base64url') !== seal) return undefined
    const line = text.slice(text.lastIndexOf('\n', end) + 1, end - 2)
    const last = JSON.parse(`{${line}}`) as LastLine
    if (!isCountedHere(last) || text.includes('\n      "sample": ')) return undefined
    return new SealedFile(text, start, last, head[1])
  }

  /** The bytes of the file, but for what git and editors on Windows change in it. */
  get bytes(): Buffer {
    return Buffer.from(this.#text, 'latin1')
  }

  /** Lets its text go, where a session has read it: a worker keeps what its tests opened. */
  forget(): void {
    this.#text = ''
  }

  /** Whether the file has as many exchanges as hashes. */
  get isWhole(): boolean {
    return this.#endOf(this.hashes.length) < 0 && this.#ends.length === this.hashes.length
  }

  /** What an exchange answers; `undefined` where its text alone does not tell it. */
  answer(index: number): TextAnswer | undefined {
    return readTextAnswer(this.exchange(index))
  }

  /** The text of an exchange. */
  exchange(index: number): string {
    const from = index === 0 ? 0 : this.#endOf(index - 1)
    return this.#text.slice(from, Math.max(this.#endOf(index), 0))
  }

  /** Where an exchange ends; −1 where there is none. */
  #endOf(index: number): number {
    const ends = this.#ends
    while (ends.length <= index) {
      const at = this.#text.indexOf('\n    }', this.#scanned)
      if (at < 0) return -1
      ends.push(at)
      this.#scanned = at + 6
    }
    return ends[index]!
  }
}
