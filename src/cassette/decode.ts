import { CassetteError } from '../errors.ts'
import { ANSWER_BODY, below, keysOfPointer, REQUEST_BODY } from '../json/json-pointer.ts'
import { isRawNumber, type JsonObject, type JsonValue, MAX_DEPTH } from '../json/json-value.ts'
import { type JsonLayout, writeJson } from '../json/layout.ts'
import type { Body } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import type { Cassette, Exchange, RecordedExchange } from './cassette.ts'
import type { StoredCassette, StoredExchange } from './format.ts'
import { isJsonLayout } from './format/is-cassette.ts'
import { hasReserved, unwrapReserved, withFields } from './format/reserved-keys.ts'
import { FIRST_RECORDED } from './patterns.ts'
import {
  loadBlob,
  mapBase64,
  mapJson,
  restoreBody,
  restoreReadable,
  restoreText,
  type StoredBody,
} from './stored-body.ts'
import { restoreWritten } from './written.ts'

type StoredWire = NonNullable<StoredExchange['wire']>
type StoredRequest = StoredWire['request']
type StoredResponse = NonNullable<StoredWire['response']>

/**
 * Decodes the content of a file into a cassette.
 *
 * @param load reads a file of the `blobs` folder.
 * @throws CassetteError `invalid-cassette` for references and blobs that lead nowhere, and for exchanges recorded in a
 * version that no release wrote.
 */
export function decodeCassette(file: StoredCassette, load: (name: string) => Buffer): Cassette {
  refuseUnreleased(file)
  const decodeWire = wireDecoder(load)
  const decode = (stored: StoredExchange, index: number): Exchange => {
    if (!stored.wire) return restoreWritten(stored, index)
    const { id, response } = stored
    const { prompt: hash } = hashesOf(file, stored)
    const text = restoreText(stored.prompt.text)
    return {
      id,
      prompt: { ...stored.prompt, text, ...(hash ? { hash } : {}) },
      response: restoreReadable(response as JsonObject),
      wire: decodeWire(stored),
    } as unknown as Exchange
  }
  return { ...headOf(file), exchanges: file.exchanges.map(decode) }
}

/**
 * As {@link decodeCassette}, but decodes an exchange when its prompt, its answer or a body is first asked for. What a
 * matcher asks of every exchange needs no decoding.
 *
 * @param failed makes the error that is thrown then
 */
export function decodeWhenAsked(
  file: StoredCassette,
  load: (name: string) => Buffer,
  failed: (error: Error) => Error,
): Cassette {
  refuseUnreleased(file)
  const { exchanges } = file
  const decodeWire = wireDecoder(load)
  const wires: Array<Exchange['wire']> = []
  const wireAt = (index: number): Exchange['wire'] => {
    try {
      // An exchange can refer to those before it.
      for (let next = wires.length; next <= index; next++) {
        const stored = exchanges[next]!
        wires.push(stored.wire && decodeWire(stored))
      }
    } catch (error) {
      throw failed(error as Error)
    }
    return wires[index]
  }
  return {
    ...headOf(file),
    exchanges: exchanges.map((stored, index) =>
      stored.wire ? whenAsked(file, stored, () => wireAt(index)!) : restoreWritten(stored, index),
    ),
  }
}

function whenAsked(
  file: StoredCassette,
  stored: StoredExchange,
  decoded: () => NonNullable<Exchange['wire']>,
): Exchange {
  const { request, response } = stored.wire!
  const { prompt: hash } = hashesOf(file, stored)
  let said: JsonValue | undefined
  const answer = response && {
    ...headOfResponse(response),
    get body() {
      return decoded().response!.body
    },
  }
  return {
    id: stored.id!,
    prompt: {
      ...stored.prompt,
      get text() {
        return restoreText(stored.prompt.text)
      },
      ...(hash ? { hash } : {}),
    },
    get response() {
      return (said ??= restoreReadable(stored.response as JsonObject))
    },
    wire: {
      request: {
        ...headOfRequest(request),
        get body() {
          return decoded().request.body
        },
      },
      ...(answer ? { response: answer } : {}),
    },
  } as unknown as Exchange
}

function headOf(file: StoredCassette): Omit<Cassette, 'exchanges'> {
  const { conversation_id: conversationId, timestamp, oldest_answer: oldestAnswer } = file
  const { invalid, params, proposed_params: proposedParams } = file
  return {
    conversationId,
    timestamp,
    ...(oldestAnswer ? { oldestAnswer } : {}),
    ...(invalid ? { invalid } : {}),
    ...(params ? { params } : {}),
    ...(proposedParams ? { proposedParams } : {}),
  }
}

function headOfRequest(stored: StoredRequest): Omit<WireRequest, 'body'> {
  const { method, url, headers = {}, older, after } = stored
  return {
    method,
    url,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(older ? { older } : {}),
    ...(after ? { after } : {}),
  }
}

function headOfResponse(stored: StoredResponse): Omit<WireResponse, 'body'> {
  const { status, headers, cut, aborted } = stored
  return {
    status,
    headers: headers as WireResponse['headers'],
    ...(cut ? { cut } : {}),
    ...(aborted === undefined ? {} : { aborted }),
  }
}

function bodyOf({ body, layout, eol }: StoredRequest | StoredResponse): StoredBody {
  return { body, layout, eol } as StoredBody
}

/** Decodes the requests and answers of exchanges, one exchange after the other. */
function wireDecoder(
  load: (name: string) => Buffer,
): (exchange: StoredExchange) => NonNullable<Exchange['wire']> {
  const references = new References()
  const decoder = new ValueDecoder(load)

  function loadJson(body: StoredBody, pointer: string, known: JsonObject): Body {
    const restored = restoreBody(mapBase64(body, (value) => decoder.decode(value)))
    const isWhole = restored.kind === 'json'
    const pieces: JsonValue[] = []
    if (!isWhole) known.body = pieces
    return mapJson(restored, (value) => {
      const isPlain = !hasReserved(value)
      const place = isWhole ? pointer : `${pointer}/${pieces.length}`
      const resolved = isPlain ? value : references.resolve(value, place)
      if (isWhole) known.body = resolved
      else pieces.push(resolved)
      return isPlain ? value : decoder.decode(resolved)
    })
  }

  return ({ id, prompt, response, wire }) => {
    const { request, response: answer } = wire!
    // Filled while the exchange is read: an answer may refer to its own request.
    const known = { prompt, response, wire: { request: {}, response: {} } }
    references.add(id!, known as unknown as JsonObject)
    const asked = {
      ...headOfRequest(request),
      body: loadJson(bodyOf(request), REQUEST_BODY, known.wire.request),
    }
    const answered = answer && {
      ...headOfResponse(answer),
      body: loadJson(bodyOf(answer), ANSWER_BODY, known.wire.response),
    }
    return {
      request: asked,
      ...(answered ? { response: answered } : {}),
    } as RecordedExchange['wire']
  }
}

/** Versions before the first release held other hashes and less of a request. By hand, any `1.x` can be written. */
function refuseUnreleased({ version, exchanges }: StoredCassette): void {
  if (Number(version.slice(2)) >= FIRST_RECORDED || exchanges.every(({ wire }) => !wire)) return
  throw new CassetteError(
    'invalid-cassette',
    `it has recorded exchanges in version ${version} of the format, which no release wrote`,
  )
}

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

/** The most steps to follow references. No recording comes near: more are meant to keep a program busy. */
const MAX_STEPS = 2 ** 22

/** Resolves the references that `SharedValues` wrote, against the exchanges read so far. */
export class References {
  readonly #exchanges: Map<string, JsonObject> = new Map()
  /** The place of the value to resolve: a pointer, and the keys below it. */
  #base = ''
  #baseKeys: readonly string[] = []
  readonly #keys: Array<string | number> = []
  #steps = 0

  /** Makes an exchange known; of two with one id the first counts, as when they were stored. */
  add(exchange: string, content: JsonObject): void {
    if (!this.#exchanges.has(exchange)) this.#exchanges.set(exchange, content)
  }

  /**
   * The value that a stored value at `pointer` stands for: the same object where it refers to nothing.
   *
   * @throws CassetteError `invalid-cassette` for a reference that leads nowhere.
   */
  resolve(value: JsonValue, pointer: string): JsonValue {
    if (pointer !== this.#base) this.#baseKeys = keysOfPointer(pointer)
    this.#base = pointer
    this.#keys.length = 0
    return this.#resolve(value)
  }

  #resolve(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return this.#resolveItems(value)
    if (!isNested(value)) return value
    const wrapped = '$json' in value ? unwrapReserved(value) : undefined
    if (wrapped) {
      this.#keys.push('$json')
      const fields = this.#resolveFields(wrapped)
      this.#keys.pop()
      return fields === wrapped ? value : { $json: fields }
    }
    return '$same' in value ? this.#follow(value) : this.#resolveFields(value)
  }

  /** Resolves the fields of an object without reserved keys. */
  #resolveFields(value: JsonObject): JsonObject {
    let changed: Map<string, JsonValue> | undefined
    for (const key of Object.keys(value)) {
      const child = value[key]!
      if (!isNested(child)) continue
      const resolved = this.#resolveAt(key, child)
      if (resolved !== child) (changed ??= new Map()).set(key, resolved)
    }
    return changed ? withFields(value, changed) : value
  }

  #resolveItems(items: JsonValue[]): JsonValue[] {
    let resolved: JsonValue[] | undefined
    for (const [index, item] of items.entries()) {
      if (isNested(item) && isRun(item)) {
        const { from = 0, count = 0 } = item
        resolved ??= items.slice(0, index)
        for (const one of this.#runOf(item, from, count)) resolved.push(one)
        continue
      }
      const one = isNested(item) ? this.#resolveAt(resolved?.length ?? index, item) : item
      if (one !== item) resolved ??= items.slice(0, index)
      resolved?.push(one)
    }
    return resolved ?? items
  }

  #resolveAt(key: string | number, value: JsonValue): JsonValue {
    this.#keys.push(key)
    const resolved = this.#resolve(value)
    this.#keys.pop()
    return resolved
  }

  #pointer(): string {
    return this.#keys.reduce<string>(below, this.#base)
  }

  #follow(reference: JsonObject): JsonValue {
    const target = this.#valueAt(reference, this.#placeIn(reference))
    if (target === undefined) throw leadsNowhere(reference, this.#pointer())
    return target
  }

  /** The keys of the place in the other exchange: by default the same place. */
  #placeIn({ at }: JsonObject): ReadonlyArray<string | number> {
    return typeof at === 'string' ? keysOfPointer(at) : [...this.#baseKeys, ...this.#keys]
  }

  #runOf(reference: JsonObject, from: JsonValue, count: JsonValue): JsonValue[] {
    const target = this.#valueAt(reference, this.#placeIn(reference))
    // A number with a spelling of its own, such as 1e15, is no place: none is written so.
    const isPlace = Number.isInteger(from) && Number.isInteger(count)
    const [start, end] = isPlace ? [Number(from), Number(from) + Number(count)] : [0, 0]
    if (!Array.isArray(target) || start < 0 || end <= start || end > target.length)
      throw leadsNowhere(reference, this.#whereOf(reference))
    this.#count(end - start)
    return target.slice(start, end)
  }

  #whereOf({ at }: JsonObject): string {
    return typeof at === 'string' ? at : this.#pointer()
  }

  #valueAt(reference: JsonObject, keys: ReadonlyArray<string | number>): JsonValue | undefined {
    let target: JsonValue | undefined = this.#exchanges.get(reference.$same as string)
    this.#count(keys.length)
    for (const key of keys) {
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return
      target = (target as JsonObject)[key]
    }
    return target
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps <= MAX_STEPS) return
    throw new CassetteError(
      'invalid-cassette',
      `it takes more than ${MAX_STEPS} steps to follow its references`,
    )
  }
}

function isNested(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null
}

function isRun(item: JsonObject): boolean {
  return '$same' in item && 'count' in item && !unwrapReserved(item)
}

function leadsNowhere(reference: JsonObject, pointer: string): CassetteError {
  const place = pointer.replace(REQUEST_BODY, '')
  const { $same } = reference
  const name = typeof $same === 'string' ? $same : JSON.stringify($same)
  return new CassetteError(
    'invalid-cassette',
    `the reference to ${name} at ${place || '/'} leads nowhere`,
  )
}

/** The hashes of an exchange: of its prompt, and of all that a replay of its answer sends. */
export interface ExchangeHashes {
  prompt?: string
  answer?: string
}

/** Takes the hashes out of exchanges, so that a changed word of a prompt changes no line of later exchanges. */
export function takeHashes(
  exchanges: readonly StoredExchange[],
): Pick<StoredCassette, 'exchanges' | 'hashes'> {
  const hashes: NonNullable<StoredCassette['hashes']> = {}
  const bare = exchanges.map((exchange): StoredExchange => {
    const { id, prompt, wire } = exchange
    // Of two exchanges with one id, the second keeps its hashes.
    if (!wire || prompt.hash === undefined || Object.hasOwn(hashes, id!)) return exchange
    const { hash, ...asked } = prompt
    const { hash: answer, ...answered } = wire.response ?? {}
    hashes[id!] = { prompt: hash, ...(answer === undefined ? {} : { answer }) }
    const response = wire.response ? { response: answered } : {}
    return { ...exchange, prompt: asked, wire: { ...wire, ...response } } as StoredExchange
  })
  return { exchanges: bare, ...(Object.keys(hashes).length > 0 ? { hashes } : {}) }
}

/** The hashes of an exchange, wherever its file holds them. */
export function hashesOf(
  { hashes = {} }: Pick<StoredCassette, 'hashes'>,
  { id, prompt, wire }: StoredExchange,
): ExchangeHashes {
  const known = wire && Object.hasOwn(hashes, id!) ? hashes[id!] : undefined
  return {
    prompt: prompt.hash ?? known?.prompt,
    answer: wire?.response?.hash ?? known?.answer,
  }
}
