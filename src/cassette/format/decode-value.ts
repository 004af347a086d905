import { CassetteError } from '../../errors.ts'
import { isRawNumber, MAX_DEPTH, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { writeJson, type JsonLayout } from '../../json/layout.ts'
import { loadBlob } from './blobs.ts'
import { isJsonLayout } from './is-cassette.ts'
import { unwrapReserved, withFields } from './reserved-keys.ts'

/** The most characters of all requests and answers: more than any test records. References could name far more. */
const MAX_SIZE = 2 ** 29

/** The size of a list or an object in memory, in characters. */
const CONTAINER = 64

/** The size of a number, a boolean or `null`, in characters. */
const SCALAR = 8

/** A smaller value takes as long to look up as to decode. */
const MIN_KNOWN = 256

interface Decoded {
  value: JsonValue
  /** The approximate size in characters with all references written out. */
  size: number
  depth: number
}

/**
 * Decodes stored values into those of requests and responses. A value that several exchanges share is decoded once
 * and is one object in memory, so that a conversation loads in time linear in the size of its file. A value without
 * reserved keys is returned as the stored object itself.
 */
export class ValueDecoder {
  readonly #load: (name: string) => Buffer
  readonly #known: WeakMap<object, Decoded> = new WeakMap()
  /** The values that are being decoded, the outermost first. */
  readonly #open: object[] = []
  #total = 0

  /** @param load reads a file of the `blobs` folder */
  constructor(load: (name: string) => Buffer) {
    this.#load = load
  }

  /**
   * Decodes a value whose references are resolved.
   *
   * @throws CassetteError `invalid-cassette` for missing blobs and values without end.
   */
  decode(value: JsonValue): JsonValue {
    if (!isContainer(value)) {
      this.#add(sizeOf(value))
      return value
    }
    const decoded = this.#decode(value)
    this.#add(decoded.size)
    return decoded.value
  }

  #add(size: number): void {
    this.#total += size
    if (this.#total > MAX_SIZE) throw tooLarge()
  }

  #decode(value: Container): Decoded {
    const known = this.#known.get(value)
    if (known) return known
    if (this.#open.length > MAX_DEPTH) throw this.#isEndless() ? endless() : tooLarge()
    this.#open.push(value)
    const decoded = this.#decodeContainer(value)
    this.#open.pop()
    if (decoded.size > MAX_SIZE || decoded.depth > MAX_DEPTH) throw tooLarge()
    if (decoded.size >= MIN_KNOWN || decoded.value !== value) this.#known.set(value, decoded)
    return decoded
  }

  /** Called only for a value that is too deep. A value that contains itself is open twice. */
  #isEndless(): boolean {
    return new Set(this.#open).size < this.#open.length
  }

  #decodeContainer(value: Container): Decoded {
    if (Array.isArray(value)) return this.#decodeItems(value)
    const wrapped = '$json' in value ? unwrapReserved(value) : undefined
    if (wrapped) return this.#decodeFields(wrapped)
    if (typeof value.$blob === 'string') {
      const { $blob, prefix = '' } = value
      if (typeof prefix !== 'string')
        throw new CassetteError('invalid-cassette', 'the prefix of a $blob is no text')
      return this.#loadOnce(prefix + loadBlob($blob, this.#load))
    }
    if (value.$text !== undefined) return text(joinPieces(value.$text))
    if (value.$stringified !== undefined) {
      const { $stringified: stored, layout } = value
      const inner = isContainer(stored) ? this.#decode(stored).value : stored
      return text(writeJson(inner, readLayout(layout)))
    }
    return isRawNumber(value) ? { value, size: SCALAR, depth: 0 } : this.#decodeFields(value)
  }

  /** Counts a blob in full only once: an agent sends its screenshots in every turn, and they are one text in memory. */
  #loadOnce(content: string): Decoded {
    this.#total += content.length
    return { value: content, size: CONTAINER, depth: 0 }
  }

  #decodeItems(items: JsonValue[]): Decoded {
    const decoded: Decoded = { value: items, size: CONTAINER, depth: 0 }
    let changed: JsonValue[] | undefined
    for (const [index, item] of items.entries()) {
      const one = this.#decodeChild(item, decoded)
      if (one !== item) (changed ??= items.slice())[index] = one
    }
    if (changed) decoded.value = changed
    return decoded
  }

  #decodeFields(value: JsonObject): Decoded {
    const decoded: Decoded = { value, size: CONTAINER, depth: 0 }
    let changed: Map<string, JsonValue> | undefined
    for (const key of Object.keys(value)) {
      const child = value[key]!
      const one = this.#decodeChild(child, decoded)
      if (one !== child) (changed ??= new Map()).set(key, one)
    }
    if (changed) decoded.value = withFields(value, changed)
    return decoded
  }

  #decodeChild(child: JsonValue, parent: Decoded): JsonValue {
    if (!isContainer(child)) {
      parent.size += sizeOf(child) + 1
      parent.depth ||= 1
      return child
    }
    const { value, size, depth } = this.#decode(child)
    parent.size += size + 1
    if (depth >= parent.depth) parent.depth = depth + 1
    return value
  }
}

type Container = JsonValue[] | JsonObject

function isContainer(value: JsonValue): value is Container {
  return typeof value === 'object' && value !== null
}

function sizeOf(value: JsonValue): number {
  return typeof value === 'string' ? value.length : SCALAR
}

function readLayout(layout: JsonValue | undefined): JsonLayout {
  if (isJsonLayout(layout ?? {})) return (layout ?? {}) as JsonLayout
  throw new CassetteError('invalid-cassette', 'the layout of $stringified is none')
}

function endless(): CassetteError {
  return new CassetteError('invalid-cassette', 'a reference leads to where it stands')
}

function joinPieces(pieces: JsonValue): string {
  if (Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string'))
    return pieces.join('')
  throw new CassetteError('invalid-cassette', '$text holds something that is no text')
}

function tooLarge(): CassetteError {
  return new CassetteError(
    'invalid-cassette',
    `the values of its references are larger than ${MAX_SIZE} characters or deeper than ${MAX_DEPTH} levels`,
  )
}

function text(value: string): Decoded {
  return { value, size: value.length, depth: 0 }
}
