import { kindOfRequest, type RequestKind } from './address.ts'
import type { ForeignExchange, ForeignRecording } from './foreign.ts'

const MB = 1024 * 1024

/** The bodies of one part of a large file: what is held at once. */
export const PART_BYTES: number = 4 * MB

/** How much is kept of all files, so that small ones are read once. */
const KEPT_BYTES = PART_BYTES

/** The bytes of the bodies of an exchange. */
export function sizeOf({ request, response }: ForeignExchange): number {
  const { body } = response
  const answer = Array.isArray(body)
    ? body.reduce((sum, piece) => sum + piece.length, 0)
    : body.length
  return (request.body?.length ?? 0) + answer
}

/** What is known of a call while its bodies are not held. */
export interface KnownCall {
  kind: RequestKind
  isRespelled: boolean
  redacted: readonly string[]
}

/** A recording, or a part of a large one, whose exchanges are read when they are needed. */
export interface KnownRecording extends Omit<ForeignRecording, 'exchanges'> {
  calls: KnownCall[]
  /** The bytes of all of its bodies. */
  size: number
  /** From 0 on, of the parts of its file. */
  part: number
  /** All of it, with its bodies. The parts of a file should be asked for in their order, as it is read once then. */
  exchanges(): ForeignExchange[]
}

/** Looks at recordings, and keeps no more of them than one part of a large file. */
export class RecordingsReader {
  #kept = 0

  /**
   * Looks at the recordings of a file.
   *
   * @param read reads them, also again
   * @param forget lets go of what was read
   */
  look(read: () => Iterable<ForeignRecording>, forget: () => void): KnownRecording[] {
    const parts = new Parts(() => partsIn(read()), forget)
    const known: KnownRecording[] = []
    for (const recording of partsIn(read())) known.push(this.#known(recording, parts, known.length))
    parts.count = known.length
    // What names a file can stand at its end.
    const { name } = known.at(-1) ?? {}
    return name === undefined ? known : known.map((one) => ({ ...one, name }))
  }

  #known({ exchanges, ...rest }: ForeignRecording, parts: Parts, part: number): KnownRecording {
    const size = exchanges.reduce((sum, exchange) => sum + sizeOf(exchange), 0)
    const isKept = this.#kept + size <= KEPT_BYTES
    if (isKept) this.#kept += size
    const calls = exchanges.map(callOf)
    return { ...rest, calls, size, part, exchanges: isKept ? giving(exchanges) : parts.at(part) }
  }
}

/** A function of its own, which holds nothing else. */
function giving<Value>(value: Value): () => Value {
  return () => value
}

function callOf({ request }: ForeignExchange): KnownCall {
  const { isRespelled = false, redacted = [] } = request
  return { kind: kindOfRequest(request), isRespelled, redacted }
}

/** The parts of a file, which are read one after the other. */
class Parts {
  /** How many there are. */
  count = 0
  readonly #read: () => Iterator<ForeignRecording>
  readonly #forget: () => void
  #reading?: Iterator<ForeignRecording>
  #next = 0

  /** @param forget lets go of what a format has read as a whole */
  constructor(read: () => Iterator<ForeignRecording>, forget: () => void) {
    this.#read = read
    this.#forget = forget
  }

  /** What reads a part. */
  at(part: number): () => ForeignExchange[] {
    return () => this.#exchangesOf(part)
  }

  #exchangesOf(part: number): ForeignExchange[] {
    if (!this.#reading || this.#next > part) {
      this.#reading = this.#read()
      this.#next = 0
    }
    let exchanges: ForeignExchange[] = []
    while (this.#next <= part) {
      exchanges = (this.#reading.next() as IteratorYieldResult<ForeignRecording>).value.exchanges
      this.#next++
    }
    if (this.#next === this.count) this.#reading = undefined
    this.#forget()
    return exchanges
  }
}

/** Recordings, cut into parts where their format gives a large one as a whole. */
function* partsIn(recordings: Iterable<ForeignRecording>): Generator<ForeignRecording> {
  for (const recording of recordings) {
    let part: ForeignExchange[] = []
    let size = 0
    for (const exchange of recording.exchanges) {
      if (size > PART_BYTES) {
        yield { ...recording, exchanges: part, leftOut: new Map() }
        part = []
        size = 0
      }
      part.push(exchange)
      size += sizeOf(exchange)
    }
    yield { ...recording, exchanges: part }
  }
}
