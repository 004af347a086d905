import { CassetteError } from '../errors.ts'
import { ANSWER_BODY, REQUEST_BODY } from '../json/json-pointer.ts'
import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  MAX_DEPTH,
} from '../json/json-value.ts'
import { sameInOrder } from '../json/key-order.ts'
import { type JsonLayout, writeJson } from '../json/layout.ts'
import type { Body } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import type { Cassette, Exchange } from './cassette.ts'
import type { StoredCassette, StoredExchange } from './format.ts'
import { isJsonLayout } from './format/is-cassette.ts'
import { MAX_SIZE, References, tooLarge } from './format/references.ts'
import { mayHaveReserved, refuseBeside, unwrapReserved } from './format/reserved-keys.ts'
import { joinPieces, sameAsStored } from './format/same-as-stored.ts'
import { isWrittenAs } from './format/written-as.ts'
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
import { restoreWritten } from './format/written-exchange.ts'

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
  const decoder = wireDecoder(load)
  const decode = (stored: StoredExchange, index: number): Exchange => {
    if (!stored.wire) return restoreWritten(stored, index)
    const { id, response } = stored
    const { prompt: hash } = hashesOf(file, stored)
    const text = restoreText(stored.prompt.text)
    const { request, response: answer } = decoder.resolve(stored)
    const asked = { ...headOfRequest(stored.wire.request), body: decoder.decode(request) }
    const answered = answer && {
      ...headOfResponse(stored.wire.response!),
      body: decoder.decode(answer),
    }
    return {
      id,
      prompt: { ...stored.prompt, text, ...(hash ? { hash } : {}) },
      response: restoreReadable(response as JsonObject),
      wire: { request: asked, ...(answered ? { response: answered } : {}) },
    } as unknown as Exchange
  }
  return { ...headOf(file), exchanges: file.exchanges.map(decode) }
}

/** Compares the JSON of a request as it is stored, without references. */
type CompareStored = (stored: JsonValue, decode: (value: JsonValue) => JsonValue) => boolean

/** The requests that are decoded when they are asked for; `false` for those whose bodies are no JSON. */
const undecoded = new WeakMap<WireRequest, (compare: CompareStored) => boolean>()

/** Whether a text is the body of a request, letter for letter. `false` of many that have the same JSON. */
export function isWrittenIn(recorded: WireRequest, text: string): boolean {
  const compare = undecoded.get(recorded)
  return compare?.((stored, decode) => isWrittenAs(stored, text, decode)) ?? false
}

/** Whether two requests have the same JSON in their bodies, key for key. A stored one is compared as it is stored. */
export function sameBody(recorded: WireRequest, body: Body): boolean {
  if (body.kind !== 'json') return false
  const { value } = body
  const compare = undecoded.get(recorded)
  if (compare) return compare((stored, decode) => sameAsStored(stored, value, decode))
  return recorded.body.kind === 'json' && sameInOrder(recorded.body.value, value)
}

/** A cassette whose file is read as far as it is asked. */
export interface AskedCassette {
  /** Its exchanges are those that were read. */
  readonly cassette: Cassette
  /**
   * Reads further exchanges, if there are any.
   *
   * @throws CassetteError where the file holds something else
   */
  readOn(): boolean
}

/**
 * As {@link decodeCassette}, but decodes a prompt, an answer or a body when it is first asked for. What a matcher asks
 * of every exchange needs no decoding.
 *
 * @param failed makes the error that is thrown then
 * @param readPart reads the next exchanges of the file, where it does not hold them all
 */
export function decodeWhenAsked(
  file: StoredCassette,
  load: (name: string) => Buffer,
  failed: (error: Error) => Error,
  readPart?: () => StoredExchange[] | undefined,
): AskedCassette {
  const decoder = wireDecoder(load)
  let broken: { error: unknown } | undefined
  /** Takes the next exchanges, in their order: each can refer to those before it. */
  const add = (exchanges: StoredExchange[]): Exchange[] => {
    refuseUnreleased({ ...file, exchanges })
    const decoded: Exchange[] = []
    // All in one go takes a small part of the time that each takes between other work.
    for (const [index, stored] of exchanges.entries()) {
      let wire: ResolvedWire | undefined
      try {
        if (stored.wire && !broken) wire = decoder.resolve(stored)
      } catch (error) {
        broken = { error }
      }
      const read: ReadResolved = (from) => {
        try {
          if (!wire) throw broken!.error
          return from(wire, decoder)
        } catch (error) {
          throw failed(error as Error)
        }
      }
      decoded.push(stored.wire ? whenAsked(file, stored, read) : restoreWritten(stored, index))
    }
    return decoded
  }
  const cassette = { ...headOf(file), exchanges: add(file.exchanges) }
  const readOn = (): boolean => {
    const part = readPart?.()
    if (part) cassette.exchanges.push(...add(part))
    return part !== undefined
  }
  return { cassette, readOn }
}

/** Reads from an exchange without references. The first exchange that is broken, and those after it, throw only then. */
type ReadResolved = <Read>(from: (wire: ResolvedWire, decoder: WireDecoder) => Read) => Read

function whenAsked(file: StoredCassette, stored: StoredExchange, read: ReadResolved): Exchange {
  const { request, response } = stored.wire!
  const { prompt: hash } = hashesOf(file, stored)
  let said: JsonValue | undefined
  let asked: Body | undefined
  let answered: Body | undefined
  const wireRequest = {
    ...headOfRequest(request),
    get body() {
      return (asked ??= read((resolved, { decode }) => decode(resolved.request)))
    },
  }
  undecoded.set(wireRequest, (compare) =>
    read(({ request: { body } }, { peek }) => body?.kind === 'json' && compare(body.value, peek)),
  )
  const answer = response && {
    ...headOfResponse(response),
    get body() {
      return (answered ??= read((resolved, { decode }) => decode(resolved.response!)))
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
    wire: { request: wireRequest, ...(answer ? { response: answer } : {}) },
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
  const { method, url, headers = {}, imported, after } = stored
  return {
    method,
    url,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(imported ? { imported } : {}),
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

/** A body without references; `undefined` for bytes, which are as they are stored. */
interface ResolvedBody {
  body?: Body
  stored: StoredBody
  /** The values in it that still have to be decoded. */
  encoded: ReadonlySet<JsonValue>
}

const NONE: ReadonlySet<JsonValue> = new Set()

interface ResolvedWire {
  request: ResolvedBody
  response?: ResolvedBody
}

/** Decodes the requests and answers of exchanges. */
interface WireDecoder {
  /** Puts values in the place of references, which lead to the exchanges before, in the order of their calls. */
  resolve(exchange: StoredExchange): ResolvedWire
  decode(body: ResolvedBody): Body
  /** Decodes a value that is only compared. */
  peek(value: JsonValue): JsonValue
}

/** @param load reads a file of the `blobs` folder */
function wireDecoder(load: (name: string) => Buffer): WireDecoder {
  const references = new References()
  const decoder = new ValueDecoder(load)
  const decodeValue = (value: JsonValue): JsonValue => decoder.decode(value)

  function resolveBody(stored: StoredBody, pointer: string, known: JsonObject): ResolvedBody {
    const pieces: JsonValue[] = []
    const isBytes = isJsonObject(stored.body) && stored.body.$base64 !== undefined
    const restored = isBytes ? undefined : restoreBody(stored)
    const isWhole = restored?.kind === 'json'
    if (!isWhole) known.body = pieces
    if (!restored) return { stored, encoded: NONE }
    let encoded: Set<JsonValue> | undefined
    const body = mapJson(restored, (value) => {
      const resolved = mayHaveReserved(value)
        ? references.resolve(value, isWhole ? pointer : `${pointer}/${pieces.length}`)
        : { value, isPlain: true }
      if (!resolved.isPlain) (encoded ??= new Set()).add(resolved.value)
      if (isWhole) known.body = resolved.value
      else pieces.push(resolved.value)
      return resolved.value
    })
    return { body, stored, encoded: encoded ?? NONE }
  }

  return {
    peek: (value) => decoder.peek(value),
    resolve({ id, prompt, response, wire }) {
      const { request, response: answer } = wire!
      // Filled while the exchange is read: an answer may refer to its own request.
      const known = { prompt, response, wire: { request: {}, response: {} } }
      references.add(id!, known as unknown as JsonObject)
      const asked = resolveBody(bodyOf(request), REQUEST_BODY, known.wire.request)
      // It would count as a request without a body.
      if (asked.body?.kind === 'events') throw noBody('$events', 'a request')
      if (!answer) return { request: asked }
      const answered = resolveBody(bodyOf(answer), ANSWER_BODY, known.wire.response)
      if (answered.body?.kind === 'form') throw noBody('$form', 'an answer')
      return { request: asked, response: answered }
    },
    decode({ body, stored, encoded }) {
      if (!body) return restoreBody(mapBase64(stored, decodeValue))
      if (encoded.size === 0) return body
      return mapJson(body, (value) => (encoded.has(value) ? decodeValue(value) : value))
    },
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

  /** Decodes a value as {@link decode} does, and does not count it: it is compared, however often, and not kept. */
  peek(value: JsonValue): JsonValue {
    return isContainer(value) ? this.#decode(value).value : value
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
    if (wrapped) {
      refuseBeside(value, '$json')
      return this.#decodeFields(wrapped)
    }
    if (typeof value.$blob === 'string') {
      refuseBeside(value, '$blob', 'prefix')
      const { $blob, prefix = '' } = value
      if (typeof prefix !== 'string')
        throw new CassetteError('invalid-cassette', 'the prefix of a $blob is no text')
      return this.#loadOnce(prefix + loadBlob($blob, this.#load))
    }
    if (value.$text !== undefined) {
      refuseBeside(value, '$text')
      return text(joinPieces(value.$text))
    }
    if (value.$stringified !== undefined) {
      refuseBeside(value, '$stringified', 'layout')
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
    let changed: JsonObject | undefined
    for (const key of Object.keys(value)) {
      const child = value[key]!
      const one = this.#decodeChild(child, decoded)
      // The copy has each key already, so that even `__proto__` is a key like any other.
      if (one !== child) (changed ??= { ...value })[key] = one
    }
    if (changed) decoded.value = changed
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

function noBody(name: string, of: 'a request' | 'an answer'): CassetteError {
  return new CassetteError('invalid-cassette', `${name} holds something that is no body of ${of}`)
}

function endless(): CassetteError {
  return new CassetteError('invalid-cassette', 'a reference leads to where it stands')
}

function text(value: string): Decoded {
  return { value, size: value.length, depth: 0 }
}

/** The hashes of an exchange: of its prompt, and of all that a replay of its answer sends. */
export interface ExchangeHashes {
  prompt?: string
  answer?: string
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
