import { CassetteError } from '../../errors.ts'
import { isRawNumber, MAX_DEPTH, type JsonValue } from '../../json/json-value.ts'
import { isLayout, writeJson, type JsonLayout } from '../../json/layout.ts'
import { loadBlob } from './blobs.ts'
import { unwrapReserved } from './reserved-keys.ts'

/** Characters of all requests and answers beyond which no test records; references could name far more. */
const MAX_SIZE = 2 ** 29

/** What a list or an object takes in memory, in characters. */
const CONTAINER = 64

interface Decoded {
  value: JsonValue
  /** About how many characters it takes when everything it refers to is written out. */
  size: number
  depth: number
}

/**
 * Turns stored values back into those that travelled. What several exchanges share is decoded once
 * and is one object in memory, so that a conversation loads in the time of its file.
 */
export class ValueDecoder {
  readonly #load: (name: string) => Buffer
  readonly #known: WeakMap<object, Decoded> = new WeakMap()
  /** The values that are being decoded: one that stands in itself has no end. */
  readonly #open: Set<object> = new Set()
  #total = 0

  /** @param load reads a file of the `blobs` folder */
  constructor(load: (name: string) => Buffer) {
    this.#load = load
  }

  /**
   * Decodes a value whose references are resolved.
   *
   * @throws CassetteError `invalid-cassette` for blobs that lead nowhere and values without end.
   */
  decode(value: JsonValue): JsonValue {
    const decoded = this.#decode(value)
    this.#total += decoded.size
    if (this.#total > MAX_SIZE) throw tooLarge()
    return decoded.value
  }

  #decode(value: JsonValue): Decoded {
    if (typeof value !== 'object' || value === null || isRawNumber(value)) {
      return { value, size: typeof value === 'string' ? value.length : 8, depth: 0 }
    }
    const known = this.#known.get(value)
    if (known) return known
    if (this.#open.has(value))
      throw new CassetteError('invalid-cassette', 'a reference leads to where it stands')
    this.#open.add(value)
    const decoded = this.#decodeObject(value)
    this.#open.delete(value)
    if (decoded.size > MAX_SIZE || decoded.depth > MAX_DEPTH) throw tooLarge()
    this.#known.set(value, decoded)
    return decoded
  }

  #decodeObject(value: JsonValue[] | Record<string, JsonValue>): Decoded {
    if (Array.isArray(value)) return this.#gather(value, (children) => children)
    const wrapped = unwrapReserved(value)
    if (!wrapped && typeof value.$blob === 'string') {
      const { $blob, prefix = '' } = value
      if (typeof prefix !== 'string')
        throw new CassetteError('invalid-cassette', 'the prefix of a $blob is no text')
      return this.#loadOnce(prefix + loadBlob($blob, this.#load))
    }
    if (!wrapped && value.$text !== undefined) return text(joinPieces(value.$text))
    if (!wrapped && value.$stringified !== undefined) {
      const { layout } = value
      const { value: inner } = this.#decode(value.$stringified)
      return text(writeJson(inner, readLayout(layout)))
    }
    const object = wrapped ?? value
    const keys = Object.keys(object)
    return this.#gather(Object.values(object), (children) =>
      Object.fromEntries(keys.map((key, index) => [key, children[index]!])),
    )
  }

  /** An agent sends its screenshots in every turn: they are one text in memory, hashed once. */
  #loadOnce(content: string): Decoded {
    this.#total += content.length
    return { value: content, size: CONTAINER, depth: 0 }
  }

  #gather(children: JsonValue[], build: (decoded: JsonValue[]) => JsonValue): Decoded {
    let size = CONTAINER
    let depth = 0
    const values = children.map((child) => {
      const decoded = this.#decode(child)
      size += decoded.size + 1
      depth = Math.max(depth, decoded.depth + 1)
      return decoded.value
    })
    return { value: build(values), size, depth }
  }
}

function readLayout(layout: JsonValue | undefined): JsonLayout {
  if (isLayout(layout ?? {})) return (layout ?? {}) as JsonLayout
  throw new CassetteError('invalid-cassette', 'the layout of $stringified is none')
}

function joinPieces(pieces: JsonValue): string {
  if (Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string'))
    return pieces.join('')
  throw new CassetteError('invalid-cassette', '$text holds something that is no text')
}

function tooLarge(): CassetteError {
  return new CassetteError(
    'invalid-cassette',
    `what its references name is larger than ${MAX_SIZE} characters or deeper than ${MAX_DEPTH} levels`,
  )
}

function text(value: string): Decoded {
  return { value, size: value.length, depth: 0 }
}
