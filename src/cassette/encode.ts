import { ANSWER_BODY, below, REQUEST_BODY } from '../json/json-pointer.ts'
import {
  isContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapInside,
  textsOfJson,
  tryParseJson,
  tryReadJson,
} from '../json/json-value.ts'
import { sortKeys } from '../json/sort-keys.ts'
import { layoutOf } from '../json/layout.ts'
import { rememberFor } from '../remember.ts'
import { type Body, jsonOf } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'
import type {
  Cassette,
  Exchange,
  RecordedExchange,
  ResponseSummary,
  ToolCallSummary,
} from './cassette.ts'
import { takeHashes } from './format/take-hashes.ts'
import { FORMAT_VERSION, type StoredCassette, type StoredExchange } from './format.ts'
import { mayHaveReserved, unwrapReserved, wrapReserved } from './format/reserved-keys.ts'
import { hashAnswer, withFileHash } from './format/hashes.ts'
import { WRITTEN_VERSION } from './patterns.ts'
import {
  extractBlob,
  linesOf,
  MIN_ANSWER,
  storeBody,
  storeReadable,
  storeText,
  storeTexts,
} from './format/store-body.ts'
import { mapBase64, mapJson, type StoredBody, type StoredText } from './stored-body.ts'

import { storeWritten } from './written.ts'

export { extractBlob } from './format/store-body.ts'

/** A cassette ready to be written, and the blobs of its prompts and answers. */
export interface EncodedCassette {
  stored: StoredCassette
  blobs: Map<string, Buffer>
}

/** The exchanges of a cassette as its file holds them. */
export interface EncodedExchanges {
  version: string
  exchanges: StoredExchange[]
  blobs: Map<string, Buffer>
}

/** Encodes a cassette for its file, in time linear in the length of the conversation. */
export function encodeCassette(cassette: Cassette, schemaPath: string): EncodedCassette {
  const { hashes, ...unhashed } = encodeUnhashed(cassette)
  return {
    stored: withFileHash({ $schema: schemaPath, ...unhashed, hashes }),
    blobs: encodeExchanges(cassette.exchanges).blobs,
  }
}

/** All that a file says of a cassette, for those who read it and write no file: without what only a file has. */
export function encodeTexts(cassette: Cassette): StoredCassette {
  const { hashes: _, ...texts } = encodeUnhashed(cassette)
  return texts
}

function encodeUnhashed(cassette: Cassette): StoredCassette {
  const { conversationId, timestamp, oldestAnswer, invalid, params, proposedParams } = cassette
  const { version, exchanges: encoded } = encodeExchanges(cassette.exchanges)
  const { exchanges, hashes } = takeHashes(encoded)
  return {
    version,
    conversation_id: conversationId,
    timestamp,
    oldest_answer: oldestAnswer,
    hashes,
    invalid,
    params,
    proposed_params: proposedParams,
    exchanges,
  }
}

/** Encodes exchanges, and remembers the result for later calls. */
export const encodeExchanges: (exchanges: readonly Exchange[]) => EncodedExchanges =
  rememberFor(encode)

function encode(all: readonly Exchange[]): EncodedExchanges {
  const shared = new SharedValues()
  const blobs = new Map<string, Buffer>()
  const encoder = new ValueEncoder((name, bytes) => blobs.set(name, bytes))
  const ids = new Set<string>()
  const version = all.some(({ wire }) => wire) ? FORMAT_VERSION : WRITTEN_VERSION

  function storeJson(body: Body, id: string, pointer: string): StoredBody {
    const isWhole = body.kind === 'json'
    const store = (value: JsonValue, piece: number): JsonValue => {
      const encoded = encoder.encode(value)
      if (id === '') return encoded
      const place = isWhole ? pointer : `${pointer}/${piece}`
      const isRequest = isWhole && pointer === REQUEST_BODY
      const referring = shared.store(encoded, id, place, isRequest)
      // The events of a stream stand on a line each.
      if (!isWhole) return referring
      // In the place of a body, a text in pieces would be a body that is no JSON.
      return typeof value === 'string' ? inOnePiece(referring, value) : storeTexts(referring)
    }
    let piece = 0
    const stored = storeBody(mapJson(body, (value) => store(value, piece++)))
    return mapBase64(stored, (value) => encoder.encode(value))
  }

  /** The readable half of a prompt, in which long texts of the request are pieces of their own. */
  function cut(prompt: Exchange['prompt'], name: string, body: Body): StoredPrompt {
    const value = jsonOf(body)
    const isKnown = (text: string): boolean => shared.knows(text)
    const found = value === undefined ? undefined : cutPrompt(prompt.text, value, isKnown)
    if (!found) return { ...prompt, text: storeText(prompt.text) }
    for (const { text, from, count } of found.shared)
      shared.addPieces(text, name, '/prompt/text/$text', from, count)
    return { ...prompt, text: { $text: found.pieces } }
  }

  function storeResponse(response: WireResponse, name: string) {
    const { headers, status, cut, aborted, body } = response
    const hash = hashAnswer(response)
    const ending = { ...(cut ? { cut } : {}), ...(aborted === undefined ? {} : { aborted }) }
    return { status, headers, hash, ...storeJson(body, name, ANSWER_BODY), ...ending }
  }

  const exchanges = all.map((exchange, index): StoredExchange => {
    // Nothing refers to a written exchange, because a person may change it at any time.
    if (!exchange.wire) return storeWritten(exchange, index)
    const { id, prompt, response, wire } = exchange
    let asked: StoredPrompt = { ...prompt, text: storeText(prompt.text) }
    // A reference could not tell apart two exchanges with one id.
    const name = ids.has(id) ? '' : id
    ids.add(id)
    if (name !== '') {
      const { text, reasoning, tool_calls: calls } = response
      shared.addReadable(prompt.text, name, '/prompt/text')
      asked = cut(prompt, name, wire.request.body)
      shared.addReadable(text, name, '/response/text', MIN_ANSWER)
      shared.addReadable(reasoning, name, '/response/reasoning')
      for (const [index, { parameters, result }] of (calls ?? []).entries()) {
        shared.addReadable(parameters, name, `/response/tool_calls/${index}/parameters`, MIN_ANSWER)
        shared.addReadable(result, name, `/response/tool_calls/${index}/result`)
      }
    }
    const said = { prompt: asked, response: describe(response) }
    const { body, ...address } = wire.request
    const request = { ...address, ...storeJson(canonicalSpelling(body), name, REQUEST_BODY) }
    const answer = wire.response ? { response: storeResponse(wire.response, name) } : {}
    return { id, ...said, wire: { request, ...answer } } as StoredExchange
  })
  return { version, exchanges, blobs }
}

/** Encodes an exchange that stands alone, at once: nothing in it refers to another, and its files stay where they are. */
export function encodeAlone(wire: Required<RecordedExchange['wire']>): StoredExchange {
  const { body: asked, ...request } = wire.request
  const { body: said, ...response } = wire.response
  return {
    id: '',
    prompt: { text: '', hash: '', metadata: {} },
    response: { text: '' },
    wire: {
      request: { ...request, ...storeAlone(asked) },
      response: { ...response, ...storeAlone(said) },
    },
  } as StoredExchange
}

function storeAlone(body: Body): StoredBody {
  return storeBody(mayHaveReserved(body) ? mapJson(body, wrapInside) : body)
}

/** Wraps all objects inside a value that use a reserved key. */
function wrapInside(value: JsonValue): JsonValue {
  const wrapped = mapInside(value, wrapInside)
  return isJsonObject(wrapped) ? wrapReserved(wrapped) : wrapped
}

/** The stored form of a text; the text itself where it is stored in pieces. */
function inOnePiece(stored: JsonValue, text: string): JsonValue {
  return isJsonObject(stored) && '$text' in stored ? text : stored
}

type StoredPrompt = Omit<Exchange['prompt'], 'text'> & { text: string | StoredText }

/** The readable half of an answer. */
function describe({ text, reasoning, tool_calls: calls, ...rest }: ResponseSummary): object {
  return {
    text: storeText(text),
    ...(reasoning === undefined ? {} : { reasoning: storeText(reasoning) }),
    ...(calls ? { tool_calls: calls.map(describeCall) } : {}),
    ...rest,
  }
}

function describeCall({ tool_name, parameters, result }: ToolCallSummary): object {
  return {
    tool_name,
    parameters: storeReadable(parameters),
    ...(result === undefined ? {} : { result: storeReadable(result) }),
  }
}

/** Requests are stored with sorted keys, because key order depends on the release of an SDK and not on the prompt. */
function canonicalSpelling(body: Body): Body {
  const value = jsonOf(body)
  // With a key twice, its text says more than its value.
  const isText = value === undefined || (body.kind === 'text' && tryReadJson(body.text)?.isTwice)
  return isText ? body : { kind: 'json', value: sortKeys(value), layout: {} }
}

/** Shorter texts are readable as they were sent. */
const MIN_STRINGIFIED = 256

/**
 * Encodes the JSON values of a body for storage. Images, audio and documents become files for `save`; long texts that
 * are JSON themselves (the arguments of a call) become the value that they spell; objects with reserved keys are
 * wrapped. References to earlier values are added later.
 */
class ValueEncoder {
  readonly #save: (name: string, bytes: Buffer) => void
  /** The encoded form of each long text. Requests repeat long texts, so each is encoded once. */
  readonly #texts: Map<string, JsonValue> = new Map()

  /** @param save gets the name and the bytes of each file */
  constructor(save: (name: string, bytes: Buffer) => void) {
    this.#save = save
  }

  encode(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#encodeText(value)
    const encoded = mapInside(value, (child) => this.encode(child))
    return isJsonObject(encoded) ? wrapReserved(encoded) : encoded
  }

  #encodeText(text: string): JsonValue {
    if (text.length < MIN_STRINGIFIED) return text
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const encoded = extractBlob(text, this.#save) ?? this.spell(text) ?? text
    this.#texts.set(text, encoded)
    return encoded
  }

  /** The encoded form of a text as the value that it spells; `undefined` where that does not give the text back. */
  spell(text: string): JsonObject | undefined {
    if (!/^[[{]/.test(text)) return undefined
    const value = tryParseJson(text)
    const layout = value === undefined ? undefined : layoutOf(text, value)
    if (value === undefined || layout === undefined) return undefined
    const spelled: JsonObject = { $stringified: this.encode(value) }
    return Object.keys(layout).length > 0 ? { ...spelled, layout: { ...layout } } : spelled
  }
}

/** A shorter text is stored twice, in the prompt for people and in the request. */
const MIN_TEXT = 80

/** Consecutive pieces of the readable text that together are one text of the request. */
export interface SharedPieces {
  text: string
  from: number
  count: number
}

/**
 * Cuts the readable text of a prompt into pieces, so that each long text of the request has pieces of its own and can
 * refer to them: instructions between the names of their roles, for instance. `undefined` if it holds no such text.
 *
 * @param isKnown whether a text is stored already
 */
function cutPrompt(
  shown: string,
  body: JsonValue,
  isKnown: (text: string) => boolean,
): { pieces: string[]; shared: SharedPieces[] } | undefined {
  const found: Array<{ text: string; start: number }> = []
  for (const text of textsOfJson(body)) {
    if (text.length < MIN_TEXT) continue
    // Most texts are not found: they belong to earlier turns, or are pictures, which are never shown.
    const start = text.length < shown.length ? shown.indexOf(text) : -1
    if (start >= 0 && !isKnown(text)) found.push({ text, start })
  }
  if (found.length === 0) return undefined
  const pieces: string[] = []
  const shared: SharedPieces[] = []
  let end = 0
  for (const { text, start } of found.sort((one, other) => one.start - other.start)) {
    // A text that begins inside another is stored twice.
    if (start < end) continue
    if (start > end) pieces.push(...linesOf(shown.slice(end, start)))
    const lines = linesOf(text)
    shared.push({ text, from: pieces.length, count: lines.length })
    pieces.push(...lines)
    end = start + text.length
  }
  if (end < shown.length) pieces.push(...linesOf(shown.slice(end)))
  return { pieces, shared }
}

/** Shorter values read better where they stand than as a reference. */
const MIN_SHARED = 256

interface Place {
  exchange: string
  pointer: string
}

/**
 * Shares values between the exchanges of one cassette. A conversation sends its whole history in every request; the
 * stored form of each exchange holds the new part and refers to an earlier exchange for the rest:
 *
 * - `{ "$same": "exchange-1", "count": 4 }` among the items of an array stands for the first four items of the array at
 *   the same place of that exchange; with `"from": 2`, from the third on.
 * - `{ "$same": "exchange-1" }` anywhere else stands for the value at the same place of it, and with `"at":
 *   "/response/text"` for the value at that place, a JSON pointer into the whole exchange.
 *
 * The wire half refers to the readable half, never the other way round: a reviewer reads a text once, where it is
 * readable.
 */
export class SharedValues {
  readonly #places: Map<string, Place> = new Map()
  readonly #runs: LongestRun = new LongestRun()
  readonly #keys: WeakMap<object, string> = new WeakMap()
  readonly #sizes: WeakMap<object, number> = new WeakMap()
  readonly #encoder: ValueEncoder = new ValueEncoder(() => {})
  /** The references to texts stored as pieces of a readable text. */
  readonly #pieces: Map<string, JsonObject> = new Map()
  /** What a model answered: the texts, and the keys of lists and objects by their size. */
  readonly #answered: Set<string> = new Set()
  readonly #calledWith: Map<number, Set<string>> = new Map()
  #pending: Array<{ key: string; pointer: string }> = []
  /** The names of long texts, and of the spellings of long values. */
  readonly #texts: Names = new Names('#')
  readonly #values: Names = new Names('~')

  /** Registers a value of the readable half of an exchange, which is stored as it is: the wire half can refer to it. */
  addReadable(
    value: JsonValue | undefined,
    exchange: string,
    pointer: string,
    least: number = MIN_SHARED,
  ): void {
    if (value === undefined || (typeof value !== 'string' && !isContainer(value))) return
    const encoded = this.#encoder.encode(value)
    if (this.#sizeOf(encoded) < least) return
    // A wrapped object stands one level deeper.
    if (isJsonObject(value) && wrapReserved(value) !== value) return
    const key = this.#keyOf(encoded)
    // A text decodes to itself. Any other value must equal its encoded form to stand for it.
    const isSame = typeof value === 'string' || this.#keyOf(value) === key
    if (isSame) this.#remember(key, { exchange, pointer })
    if (isSame && least < MIN_SHARED) this.#addAnswer(value, key)
    if (typeof value === 'string') return
    for (const [key, child] of Object.entries(value))
      this.addReadable(child, exchange, below(pointer, key), least)
  }

  #addAnswer(value: JsonValue, key: string): void {
    if (typeof value === 'string') return void this.#answered.add(value)
    const size = this.#sizeOf(value)
    const known = this.#calledWith.get(size) ?? new Set()
    this.#calledWith.set(size, known.add(key))
  }

  /** Registers pieces of a readable text that together are one text of the request. */
  addPieces(text: string, exchange: string, pointer: string, from: number, count: number): void {
    this.#pieces.set(text, { $same: exchange, at: pointer, ...(from > 0 ? { from } : {}), count })
  }

  /** Whether a text is stored already. */
  knows(text: string): boolean {
    return this.#pieces.has(text) || this.#places.has(this.#keyOf(text))
  }

  /**
   * The stored form of a value that stands at `pointer`. In a request, lists are histories: items of an earlier list
   * become references, however short.
   */
  store(value: JsonValue, exchange: string, pointer: string, isRequest: boolean): JsonValue {
    const stored = this.#store(value, exchange, pointer, isRequest)
    // Only now: a value cannot refer to another part of itself.
    for (const { key, pointer } of this.#pending) this.#remember(key, { exchange, pointer })
    this.#pending = []
    return stored
  }

  #store(value: JsonValue, exchange: string, pointer: string, isRequest: boolean): JsonValue {
    if (typeof value !== 'string' && !isContainer(value)) return value
    const isHistory = isRequest && Array.isArray(value) && value.some(isContainer)
    const pieces = typeof value === 'string' ? this.#pieces.get(value) : undefined
    if (pieces) return { $text: [{ ...pieces }] }
    const spelled = typeof value === 'string' ? this.#spell(value) : undefined
    if (spelled) return this.#storeFields(spelled, exchange, pointer, isRequest)
    const isLong = this.#isAnswer(value) || this.#sizeOf(value) >= MIN_SHARED
    // The value contains nothing long, no history, and nothing that a model answered.
    if (!isLong && !isRequest && !this.#mayAnswer(value)) return value
    const key = isLong || isHistory ? this.#keyOf(value) : ''
    const earlier = this.#places.get(key)
    if (earlier && (isLong || (isHistory && earlier.pointer === pointer))) {
      if (isHistory) this.#runs.add(pointer, exchange, this.#keysOf(value))
      const { exchange: $same, pointer: at } = earlier
      return at === pointer ? { $same } : { $same, at }
    }
    if (isLong || isHistory) this.#pending.push({ key, pointer })
    if (typeof value === 'string') return value
    if (Array.isArray(value)) {
      if (isHistory) return this.#storeHistory(value, exchange, pointer)
      return value.map((item, index) =>
        this.#store(item, exchange, below(pointer, index), isRequest),
      )
    }
    const wrapped = unwrapReserved(value)
    if (!wrapped) return this.#storeFields(value, exchange, pointer, isRequest)
    // Never replaced as a whole: inside the wrapper a reference would be the user's own object.
    return { $json: this.#storeFields(wrapped, exchange, below(pointer, '$json'), isRequest) }
  }

  #storeFields(
    value: JsonObject,
    exchange: string,
    pointer: string,
    isRequest: boolean,
  ): JsonObject {
    return mapInside(value, (child, key) =>
      this.#store(child, exchange, below(pointer, key), isRequest),
    ) as JsonObject
  }

  #storeHistory(items: JsonValue[], exchange: string, pointer: string): JsonValue {
    const keys = this.#keysOf(items)
    const stored: JsonValue[] = []
    for (let index = 0; index < items.length;) {
      const item = items[index]!
      const run = isContainer(item) ? this.#runs.find(pointer, keys, index) : undefined
      if (run) {
        const { exchange: $same, from, count } = run
        stored.push({ $same, ...(from > 0 ? { from } : {}), count })
        index += count
      } else {
        // Lists inside an item of a list are a part of it, and no history of their own.
        stored.push(this.#store(item, exchange, below(pointer, index), false))
        index++
      }
    }
    this.#runs.add(pointer, exchange, keys)
    return stored
  }

  #mayAnswer(value: JsonValue): boolean {
    const isAny = this.#answered.size > 0 || this.#calledWith.size > 0
    return isAny && isContainer(value) && this.#sizeOf(value) >= MIN_ANSWER
  }

  #isAnswer(value: JsonValue): boolean {
    if (typeof value === 'string') return this.#answered.has(value)
    if (this.#calledWith.size === 0) return false
    return this.#calledWith.get(this.#sizeOf(value))?.has(this.#keyOf(value)) ?? false
  }

  /** The encoded form of the arguments of a call in a text; longer ones are encoded so already. */
  #spell(text: string): JsonObject | undefined {
    const isShort = text.length >= MIN_ANSWER && text.length < MIN_SHARED
    if (this.#calledWith.size === 0 || !isShort) return undefined
    const spelled = this.#encoder.spell(text)
    return spelled && this.#isAnswer(spelled.$stringified!) ? spelled : undefined
  }

  #remember(key: string, place: Place): void {
    if (!this.#places.has(key)) this.#places.set(key, place)
  }

  #keysOf(items: JsonValue[]): string[] {
    return items.map((item) => this.#keyOf(item))
  }

  /** A value's identity. */
  #keyOf(value: JsonValue): string {
    const isLong = typeof value === 'string' && value.length > MAX_NAME
    if (isLong) return this.#texts.of(value)
    if (!isContainer(value)) return JSON.stringify(value)
    const known = this.#keys.get(value)
    if (known !== undefined) return known
    const isList = Array.isArray(value)
    let text = isList ? '[' : '{'
    for (const [name, child] of Object.entries(value))
      text += isList ? `${this.#keyOf(child)},` : `${JSON.stringify(name)}:${this.#keyOf(child)},`
    const key = text.length > MAX_NAME ? this.#values.of(text) : text
    this.#keys.set(value, key)
    return key
  }

  /** About how many characters a value takes. */
  #sizeOf(value: JsonValue): number {
    if (typeof value === 'string' && value.length >= MIN_SHARED) return value.length
    if (!isContainer(value)) return JSON.stringify(value).length
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    let size = 2
    if (Array.isArray(value)) for (const item of value) size += this.#sizeOf(item) + 2
    else
      for (const [name, child] of Object.entries(value))
        size += this.#sizeOf(child) + name.length + 4
    // A smaller value takes as long to look up as to measure.
    if (size >= MIN_SHARED) this.#sizes.set(value, size)
    return size
  }
}

/** Texts longer than this have short names. */
const MAX_NAME = 80

/** Gives texts short names, each one of its own. */
class Names {
  readonly #mark: string
  readonly #names: Map<string, string> = new Map()

  /** @param mark begins the names of one kind, and no JSON */
  constructor(mark: string) {
    this.#mark = mark
  }

  of(text: string): string {
    let name = this.#names.get(text)
    if (name === undefined) this.#names.set(text, (name = `${this.#mark}${this.#names.size}`))
    return name
  }
}

/** Consecutive items of an array that an earlier array at the same place also has. */
export interface SharedRun {
  exchange: string
  /** The position of the first of them in the earlier array. */
  from: number
  count: number
}

/** The most occurrences of an item to try; more threads than this rarely run side by side. */
const MAX_CANDIDATES = 8

/**
 * Finds the items that an array shares with earlier ones, also where an application dropped the oldest messages or
 * put a summary in their place.
 */
class LongestRun {
  readonly #arrays: Array<{ exchange: string; keys: string[] }> = []
  readonly #occurrences: Map<string, Array<[array: number, position: number]>> = new Map()

  /** Makes an array known by the keys of its items. */
  add(pointer: string, exchange: string, keys: string[]): void {
    const array = this.#arrays.push({ exchange, keys }) - 1
    for (const [position, key] of keys.entries()) {
      const place = `${pointer} ${key}`
      const known = this.#occurrences.get(place) ?? []
      this.#occurrences.set(place, [[array, position], ...known].slice(0, MAX_CANDIDATES) as never)
    }
  }

  /** The longest run that begins with item `start`; of equal ones the latest. */
  find(pointer: string, keys: string[], start: number): SharedRun | undefined {
    let best: SharedRun | undefined
    for (const [array, from] of this.#occurrences.get(`${pointer} ${keys[start]}`) ?? []) {
      const { exchange, keys: earlier } = this.#arrays[array]!
      let count = 0
      while (start + count < keys.length && keys[start + count] === earlier[from + count]) count++
      if (count > (best?.count ?? 0)) best = { exchange, from, count }
    }
    return best
  }
}
