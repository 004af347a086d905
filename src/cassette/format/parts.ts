import { CassetteError } from '../../errors.ts'
import { parseJson } from '../../json/json-value.ts'
import { readUtf8 } from '../../wire/utf8.ts'
import type { StoredCassette, StoredExchange } from '../format.ts'
import { isCassette } from './is-cassette.ts'

/** The bytes that are read in one go, since many exchanges take less time together. A larger exchange is read alone. */
const PART = 2 ** 20

/** What stands before the first exchange, between two, and behind the last, as `printCassette` lays a file out. */
const BEGIN = '\n  "exchanges": [\n    {\n'
const BETWEEN = '\n    },\n    {\n'
const END = '\n    }\n  ]\n}\n'

/** The places of the brace that ends an exchange, and of the next one that begins one, in `BETWEEN`. */
const CLOSED = '\n    }'.length
const OPENED = '\n    },\n'.length

/**
 * A large cassette file of recorded exchanges that is read from its beginning, as far as it is asked. A file that is laid
 * out in another way, such as by the formatter of an editor, is read as a whole.
 *
 * Where each part is JSON by itself, the whole file is what its parts are, whatever was edited in them. A part that is
 * none makes the whole file invalid, which is known when it is asked.
 */
export class StoredParts {
  /** The file without its exchanges. */
  readonly head: StoredCassette
  #bytes: Buffer | undefined
  #at: number
  readonly #part: number

  private constructor(head: StoredCassette, bytes: Buffer, at: number, part: number) {
    this.head = head
    this.#bytes = bytes
    this.#at = at
    this.#part = part
  }

  /**
   * `undefined` for a file that has to be read as a whole.
   *
   * @param part the bytes that are read in one go
   */
  static of(bytes: Buffer, part: number = PART): StoredParts | undefined {
    if (bytes.length < 2 * part || !bytes.subarray(-END.length).equals(Buffer.from(END))) return
    const begin = bytes.indexOf(BEGIN)
    if (begin < 0) return
    const list = begin + BEGIN.indexOf('[') + 1
    const head: unknown = parseJson(`${readPart(bytes, 0, list)}]}`)
    return isCassette(head) ? new StoredParts(head as StoredCassette, bytes, list, part) : undefined
  }

  /**
   * The next exchanges; `undefined` where there are no more.
   *
   * @throws CassetteError `invalid-cassette` for what a recording does not hold, and what is no JSON
   */
  read(): StoredExchange[] | undefined {
    const bytes = this.#bytes
    if (!bytes) return undefined
    const from = this.#at
    const last = bytes.length - END.length
    const most = bytes.lastIndexOf(BETWEEN, Math.min(from + this.#part, last))
    const at = most > from ? most : bytes.indexOf(BETWEEN, from)
    const isLast = at < 0 || from + this.#part >= last
    const text = readPart(bytes, from, (isLast ? last : at) + CLOSED)
    const exchanges = parseJson(`[${text}]`) as unknown as StoredExchange[]
    const { version, conversation_id, timestamp } = this.head
    const isValid = isCassette({ version, conversation_id, timestamp, exchanges })
    // An exchange that a person wrote can have the id of any other one.
    if (!isValid || !exchanges.every(({ wire }) => wire))
      throw new CassetteError('invalid-cassette', 'it holds what no recording holds')
    this.#bytes = isLast ? undefined : bytes
    this.#at = at + OPENED
    return exchanges
  }
}

function readPart(bytes: Buffer, from: number, to: number): string {
  const text = readUtf8(bytes.subarray(from, to))
  if (text === undefined) throw new CassetteError('invalid-cassette', 'it is not UTF-8')
  return text
}
