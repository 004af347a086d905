import type { ForeignFile } from './foreign.ts'
import { brokenFile, ForeignValue } from './foreign-value.ts'

const MB = 1024 * 1024

/** The most that one entry, or the file without its entries, may take: what a text can hold, with room to spare. */
const MOST_BYTES = 256 * MB

const [QUOTE, BACKSLASH, COLON, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = Buffer.from('"\\:[]{}')

/**
 * Reads the entries of a HAR file one after the other, so that a file of any size takes as much memory as its largest
 * entry. Only the brackets and texts are looked at: what is between them is parsed by `JSON.parse`.
 *
 * @param onRead is told how many bytes have been read
 * @returns the `log` of the file, without its entries
 * @throws CassetteError `invalid-cassette`
 */
export function* harEntries(
  file: Pick<ForeignFile, 'name' | 'blocks'>,
  onRead?: (bytes: number) => void,
): Generator<ForeignValue, ForeignValue> {
  const splitter = new Splitter(file.name)
  let read = 0
  for (const block of file.blocks()) {
    yield* splitter.entriesIn(block)
    read += block.length
    onRead?.(read)
  }
  return splitter.end()
}

/** Tells the items of `log.entries` from all the rest of a JSON text that comes in blocks. */
class Splitter {
  readonly #file: string
  readonly #rest = new Pieces()
  readonly #entry = new Pieces()
  #entries = 0
  #depth = 0
  #isInEntries = false
  #isInString = false
  /** The backslashes just before the next byte of a text. */
  #slashes = 0
  /** The beginning of the last text, which may be a key. */
  #text = ''
  /** The last keys of the root and of what is in it. */
  readonly #keys: [string, string, string] = ['', '', '']

  constructor(file: string) {
    this.#file = file
  }

  /** The depth of the items of `log.entries`. */
  get #isInEntry(): boolean {
    return this.#isInEntries && this.#depth > 3
  }

  *entriesIn(block: Buffer): Generator<ForeignValue> {
    let start = 0
    for (let at = 0; at < block.length; at++) {
      if (this.#isInString) {
        at = this.#endOfString(block, at)
        continue
      }
      const byte = block[at]
      if (byte === QUOTE) {
        this.#isInString = true
        this.#text = ''
      } else if (byte === OPEN || byte === OPEN_LIST) {
        const begins = this.#isInEntries && this.#depth === 3 && byte === OPEN
        if (begins) {
          this.#keep(block.subarray(start, at))
          start = at
        }
        this.#depth++
        const isOfLog = this.#keys[1] === 'log' && this.#keys[2] === 'entries'
        if (byte === OPEN_LIST && this.#depth === 3 && isOfLog) this.#isInEntries = true
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        const isEntry = this.#isInEntry
        this.#depth--
        if (isEntry && this.#depth === 3) {
          this.#entry.add(block.subarray(start, at + 1))
          start = at + 1
          yield this.#takeEntry()
        } else if (this.#isInEntries && this.#depth < 3) this.#isInEntries = false
      } else if (byte === COLON && (this.#depth === 1 || this.#depth === 2))
        this.#keys[this.#depth] = this.#text
    }
    this.#keep(block.subarray(start))
  }

  end(): ForeignValue {
    if (this.#entry.size > 0)
      throw brokenFile(this.#file, `it breaks off in entry ${this.#entries + 1}`)
    const log = new ForeignValue(
      this.#file,
      // A byte order mark is no JSON.
      parse(this.#rest.take().replace(/^\ufeff/, ''), this.#file, 'the file'),
    ).at('log')
    const other = log
      .at('entries')
      .items()
      .find(({ isAbsent }) => !isAbsent)
    if (other) throw other.wrong('an object')
    return log
  }

  #keep(piece: Buffer): void {
    const pieces = this.#isInEntry ? this.#entry : this.#rest
    pieces.add(piece)
    if (pieces.size > MOST_BYTES)
      throw brokenFile(
        this.#file,
        `${this.#isInEntry ? `entry ${this.#entries + 1}` : 'the file without its entries'} has more than ${MOST_BYTES / MB} MB`,
      )
  }

  #takeEntry(): ForeignValue {
    const place = `/log/entries/${this.#entries++}`
    // In its place, so that what is left is JSON still.
    this.#rest.add(Buffer.from('null'))
    return new ForeignValue(this.#file, parse(this.#entry.take(), this.#file, place), place)
  }

  /** Goes to the end of a text, or of the block. */
  #endOfString(block: Buffer, from: number): number {
    const quote = block.indexOf(QUOTE!, from)
    const end = quote < 0 ? block.length : quote
    let first = end
    while (first > from && block[first - 1] === BACKSLASH) first--
    const slashes = end - first + (first === from ? this.#slashes : 0)
    if (this.#text.length < 10)
      this.#text += block.toString('latin1', from, Math.min(end, from + 10))
    this.#slashes = quote < 0 ? slashes : 0
    if (quote >= 0 && slashes % 2 === 0) this.#isInString = false
    return end
  }
}

/** Bytes in the order in which they come, in memory that is used again. */
class Pieces {
  #bytes: Buffer = Buffer.alloc(0)
  size = 0

  add(piece: Uint8Array): void {
    const size = this.size + piece.length
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * size)
      larger.set(this.#bytes.subarray(0, this.size))
      this.#bytes = larger
    }
    this.#bytes.set(piece, this.size)
    this.size = size
  }

  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.size)
    this.size = 0
    return text
  }
}

function parse(text: string, file: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw brokenFile(file, `it is broken JSON in ${where}: ${(error as Error).message}`, error)
  }
}
