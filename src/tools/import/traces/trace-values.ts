import { type JsonValue, tryParseJson } from '../../../json/json-value.ts'
import type { ForeignFile } from '../foreign.ts'
import { brokenTrace } from './span.ts'

const MB = 1024 * 1024

/** A value with spans is read as a whole up to this size. A larger one is cut between its spans. */
const PIECE_BYTES = MB

/** The most that one span may take. */
const MOST_BYTES = 256 * MB

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, LINE, SPACE] =
  Buffer.from('"\\:,[]{}\n ')

const MARK = new Set([0xef, 0xbb, 0xbf])

/** Where lists of spans stand, and lists with such lists: the keys on the way to them. The root can be a list of all. */
const LISTS = new Set(
  [
    '',
    'observations data runs rows objects spans data.spans',
    ...['resourceSpans', 'resource_spans', 'batches', 'resourceLogs', 'resource_logs'].map((list) =>
      ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans', 'scopeLogs', 'scope_logs']
        .flatMap((scope) => [
          list,
          `${list}.${scope}`,
          ...['spans', 'logRecords', 'log_records'].map((spans) => `${list}.${scope}.${spans}`),
        ])
        .join(' '),
    ),
  ].flatMap((paths) => paths.split(' ')),
)

/** A value of a file, or a piece of a large one: the same value with fewer spans. */
export interface PlacedValue {
  value: JsonValue
  /** For messages. */
  place: string
}

interface ValuesOptions {
  /** The file has a value a line, so that a line that is torn spoils no other. */
  isLines?: boolean
  pieceBytes?: number
  /** Is told how many bytes have been read. */
  onRead?(bytes: number): void
}

/**
 * Reads the values of a file of JSON, one after the other. A large value comes in pieces, so that a file of any size
 * takes no more memory than a piece, or its largest span. Only brackets and texts are looked at: what is between them is
 * parsed by `JSON.parse`.
 *
 * @throws CassetteError `invalid-cassette` for what is no JSON
 */
export function* valuesIn(
  file: Pick<ForeignFile, 'name' | 'blocks'>,
  { onRead, ...options }: ValuesOptions = {},
): Generator<PlacedValue> {
  const cutter = new Cutter(file.name, options)
  let read = 0
  for (const block of file.blocks()) {
    yield* cutter.valuesIn(block)
    read += block.length
    onRead?.(read)
  }
  cutter.end()
}

/** An object or a list that is open. */
interface Open {
  isList: boolean
  /** Where its bracket stands. */
  at: number
  /** The keys on the way to it. */
  path: string
  /** The last key of an object. */
  key: string
  /** Whether a list can be cut between its items. */
  isCuttable: boolean
  /** Whether it was cut, and the comma before its next item has to go. */
  isCut: boolean
}

class Cutter {
  readonly #file: string
  readonly #isLines: boolean
  readonly #pieceBytes: number
  /** What of the current value is not yet passed on, with the brackets around it. */
  #bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafe(MB)
  #size = 0
  /** Where the current value begins, and how far it is looked through. */
  #start = 0
  #at = 0
  readonly #open: Open[] = []
  #isInText = false
  #textAt = 0
  #textEnd = 0
  #line = 1
  #values = 0
  /** The pieces of the current value, and the items of its last one. */
  #pieces = 0
  #items = 0

  constructor(file: string, { isLines = false, pieceBytes = PIECE_BYTES }: ValuesOptions) {
    this.#file = file
    this.#isLines = isLines
    this.#pieceBytes = pieceBytes
  }

  *valuesIn(block: Uint8Array): Generator<PlacedValue> {
    this.#compact()
    this.#add(block)
    while (this.#at < this.#size) {
      if (this.#isInText) {
        this.#goToEndOfText()
        continue
      }
      const byte = this.#bytes[this.#at]!
      const at = this.#at++
      if (byte === QUOTE && this.#open.length > 0) {
        this.#isInText = true
        this.#textAt = this.#at
      } else if (byte === OPEN || byte === OPEN_LIST) this.#begin(at, byte === OPEN_LIST)
      else if (byte === CLOSE || byte === CLOSE_LIST) {
        if (this.#open.length === 0) throw this.#noJson()
        const piece = this.#close()
        if (piece) yield piece
      } else if (byte === COLON) this.#keepKey()
      else if (byte === COMMA) {
        const last = this.#open.at(-1)
        if (last?.isCut) {
          // Its item before is gone.
          last.isCut = false
          this.#bytes[at] = SPACE!
        }
      } else if (byte === LINE) {
        if (this.#isLines && this.#open.length > 0) throw this.#noJson()
        this.#line++
      }
      if (this.#open.length === 0 && !this.#isSpace(byte)) throw this.#noJson()
    }
    if (this.#open.length === 0) this.#start = this.#at
    if (this.#size - this.#start > MOST_BYTES)
      throw brokenTrace(this.#file, `a span in it has more than ${MOST_BYTES / MB} MB`)
  }

  end(): void {
    if (this.#open.length === 0) return
    if (this.#isLines) throw this.#noJson()
    throw brokenTrace(this.#file, 'it is broken JSON: it breaks off')
  }

  #add(block: Uint8Array): void {
    const size = this.#size + block.length
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * size)
      larger.set(this.#bytes.subarray(0, this.#size))
      this.#bytes = larger
    }
    this.#bytes.set(block, this.#size)
    this.#size = size
  }

  #goToEndOfText(): void {
    const bytes = this.#bytes
    let at = this.#at
    for (; at < this.#size; at++) {
      const byte = bytes[at]
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) {
        this.#isInText = false
        this.#textEnd = at++
        break
      }
    }
    this.#at = at
  }

  #begin(at: number, isList: boolean): void {
    const outer = this.#open.at(-1)
    if (!outer) {
      this.#start = at
      this.#pieces = 0
      this.#items = 0
    }
    const path = !outer ? '' : outer.isList ? outer.path : join(outer.path, outer.key)
    // What is not on the way to spans has nothing to cut.
    const isCuttable = isList && (!outer || !outer.isList) && LISTS.has(path)
    this.#open.push({ isList, at, path, key: '', isCuttable, isCut: false })
  }

  #keepKey(): void {
    const last = this.#open.at(-1)
    // Deeper keys lead to no spans.
    if (!last || this.#open.length > 8) return
    last.key = this.#bytes.toString(
      'latin1',
      this.#textAt,
      Math.min(this.#textEnd, this.#textAt + 40),
    )
  }

  /** Closes what is open; a value that ends, or is large enough, is passed on. */
  #close(): PlacedValue | undefined {
    const closing = this.#open.at(-1)!
    if (closing.isCuttable && this.#pieces > 0 && this.#items > 0) {
      // Its last items: what comes behind the list is another piece. Its bracket is read again.
      this.#at--
      return this.#cut()
    }
    this.#open.pop()
    const outer = this.#open.at(-1)
    if (!outer) {
      const text = this.#bytes.toString('utf8', this.#start, this.#at)
      // All of its items have been passed on.
      const isOver = this.#pieces > 0 && this.#items === 0
      if (this.#pieces === 0) this.#values++
      this.#start = this.#at
      return isOver ? undefined : this.#placed(text)
    }
    if (!outer.isCuttable) return undefined
    this.#items++
    return this.#at - this.#start > this.#pieceBytes ? this.#cut() : undefined
  }

  /** Passes on what is there, as if all that is open ended here, and keeps the brackets around what comes. */
  #cut(): PlacedValue {
    const closers = this.#open.toReversed().map(({ isList }) => (isList ? ']' : '}'))
    const text = this.#bytes.toString('utf8', this.#start, this.#at) + closers.join('')
    if (this.#pieces++ === 0) this.#values++
    const heads: Buffer[] = []
    let size = 0
    for (const [index, one] of this.#open.entries()) {
      const next = this.#open[index + 1]
      // The items of a list have been passed on, and the fields before the next one are those of what comes, too.
      const head = one.isList
        ? Buffer.from('[')
        : Buffer.from(this.#bytes.subarray(one.at, next?.at ?? this.#at))
      one.at = size
      if (one.isList && !next) one.isCut = true
      heads.push(head)
      size += head.length
    }
    const rest = Buffer.from(this.#bytes.subarray(this.#at, this.#size))
    this.#size = 0
    this.#start = 0
    this.#at = size
    for (const piece of [...heads, rest]) this.#add(piece)
    this.#items = 0
    return this.#placed(text)
  }

  #placed(text: string): PlacedValue {
    const value = tryParseJson(text)
    if (value === undefined) throw this.#isLines ? this.#noJson(text) : this.#broken(text)
    const line = this.#values > 1 ? `, line ${this.#values}` : ''
    const piece = this.#pieces > 1 ? `, piece ${this.#pieces}` : ''
    return { value, place: `${this.#file}${line}${piece}` }
  }

  /** Lets go of what was passed on. */
  #compact(): void {
    const start = this.#start
    if (start === 0) return
    this.#bytes.copyWithin(0, start, this.#size)
    this.#size -= start
    this.#at -= start
    this.#textAt -= start
    this.#textEnd -= start
    for (const one of this.#open) one.at -= start
    this.#start = 0
  }

  #isSpace(byte: number): boolean {
    // A byte order mark is none, and stands before texts.
    const isAtStart = this.#line === 1 && this.#values === 0
    return byte <= SPACE! || byte === CLOSE || byte === CLOSE_LIST || (isAtStart && MARK.has(byte))
  }

  #noJson(text?: string): Error {
    const begin = this.#open.length > 0 ? this.#start : Math.max(0, this.#at - 1)
    const said = text ?? this.#bytes.toString('utf8', begin, Math.min(this.#size, begin + 2_000))
    const [first = ''] = said.trim().split('\n')
    return brokenTrace(
      this.#file,
      `line ${this.#line} is no JSON: ${JSON.stringify(first.slice(0, 60))}`,
    )
  }

  #broken(text: string): Error {
    try {
      JSON.parse(text)
    } catch (error) {
      return brokenTrace(this.#file, `it is broken JSON: ${(error as Error).message}`)
    }
    return brokenTrace(this.#file, 'it is JSON that is nested too deeply')
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
