import { isCountedHere } from '../prompt/request-hash.ts'
import { sha256 } from '../prompt/sha256.ts'
import { loadLater } from '../real/load-later.ts'
import { readTextAnswer, type TextAnswer } from './read-text-answer.ts'

/** What stands before the exchanges of a file about which nothing else decides, but its parameters. */
const HEAD =
  /^\{\n(?: {2}"\$schema": "[^"\\\n]*",\n)? {2}"version": "2\.\d+",\n {2}"conversation_id": "(?:[^"\\\n]|\\.)*",\n(?: {2}"params": ([^]*),\n)?$/

/** What ends a file, behind all that its seal covers. */
const TAIL = /^"seal": "([\w-]{43})"\s*\}\s*$/

/** What names the request before an exchange, or another tool. */
const IN_ORDER = ['\n        "after": ', '\n        "imported": ']

/** Loads what finds a sample among several: most tests have one. */
const loadKeepSample: () => typeof import('./keep-sample.ts') = loadLater(
  './keep-sample.mjs',
  () => import('./keep-sample.ts'),
)

/** What stands before the number of the sample to which an exchange belongs. */
const SAMPLE = '\n      "sample": '

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
  /** The file. A large one is held once, and of an exchange its text. */
  #bytes: Buffer
  /** Where each exchange ends. */
  readonly #ends: number[] = []
  #scanned: number
  /** The hashes of each exchange: `<canonical>.<raw>.<response>`. */
  hashes: readonly string[]
  /** How many exchanges the file has, and the place of the first one of its sample. */
  readonly #count: number
  from = 0
  /** When it last changed. */
  readonly timestamp: string
  /** The text of what stands between its name and its exchanges: the parameters of its recording. */
  readonly params: string | undefined
  #isInOrder: boolean | undefined

  private constructor(
    bytes: Buffer,
    start: number,
    { hashes = [], timestamp = '' }: LastLine,
    params: string | undefined,
  ) {
    this.params = params
    this.#bytes = bytes
    this.#scanned = start
    this.hashes = hashes
    this.#count = hashes.length
    this.timestamp = timestamp
  }

  /**
   * Reads a sample of a file; `undefined` for one without a seal that holds, whose hashes were counted by other rules, or
   * without that sample. The engine reads those.
   */
  static read(bytes: Buffer, sample: number = 1): SealedFile | undefined {
    const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    const read = isMarked ? bytes.subarray(3) : bytes
    const end = read.lastIndexOf('"seal"')
    const start = read.indexOf('  "exchanges": [\n')
    const [, seal] = (end > 0 && TAIL.exec(read.toString('latin1', end))) || []
    const head = start < 0 ? undefined : HEAD.exec(read.toString('latin1', 0, start))
    if (seal === undefined || !head || sha256(read.subarray(0, end), 'base64url') !== seal)
      return read.includes('\r\n') ? SealedFile.read(asWritten(read), sample) : undefined
    const line = read.toString('latin1', read.lastIndexOf('\n', end) + 1, end - 2)
    const last = JSON.parse(`{${line}}`) as LastLine
    if (!isCountedHere(last)) return undefined
    const file = new SealedFile(read, start, last, head[1])
    return sample > 1 || read.includes(SAMPLE)
      ? loadKeepSample().keepSample(file, sample, SAMPLE)
      : file
  }

  /** The bytes of the file, but for what git and editors on Windows change in it. */
  get bytes(): Buffer {
    return this.#bytes
  }

  /** Lets its bytes go, where a session has read it: a worker keeps what its tests opened. */
  forget(): void {
    this.#bytes = Buffer.alloc(0)
  }

  /** Whether something beside the hashes decides about the answers, so that they are given in their order alone. */
  get isInOrder(): boolean {
    return (this.#isInOrder ??= IN_ORDER.some((line) => this.#bytes.includes(line)))
  }

  /** Whether the file has as many exchanges as hashes. */
  get isWhole(): boolean {
    return this.#endOf(this.#count) < 0 && this.#ends.length === this.#count
  }

  /** What an exchange answers; `undefined` where its text alone does not tell it. */
  answer(index: number): TextAnswer | undefined {
    return readTextAnswer(this.exchange(index))
  }

  /** The text of an exchange. */
  exchange(index: number): string {
    const place = this.from + index
    const from = place === 0 ? 0 : this.#endOf(place - 1)
    return this.#bytes.toString('latin1', from, Math.max(this.#endOf(place), 0))
  }

  /** Where an exchange ends; −1 where there is none. */
  #endOf(index: number): number {
    const ends = this.#ends
    while (ends.length <= index) {
      const at = this.#bytes.indexOf('\n    }', this.#scanned)
      if (at < 0) return -1
      ends.push(at)
      this.#scanned = at + 6
    }
    return ends[index]!
  }
}

/** A file as it was written, before git or an editor on Windows changed the ends of its lines. */
function asWritten(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}
