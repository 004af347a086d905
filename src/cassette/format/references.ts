import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  MAX_DEPTH,
} from '../../json/json-value.ts'
import { fold, rewrite, valueAt, walk } from '../../json/walk.ts'
import { keysOfPointer } from '../../json/json-pointer.ts'
import { unescapeKey } from './markers.ts'
import { refuseFile } from './refuse-file.ts'

/** All bodies of a file together, with their references resolved, in characters. */
const MAX_SIZE = 2 ** 29

/** A text that people read, as a file has it. */
export type Texts = string | readonly string[]

/** What a list or an object counts, in characters: in memory it takes more than it says. */
const CONTAINER = 64

/** The most items of a list that refers to others: a few lines of a file could make as many as memory holds. */
const MAX_ITEMS = 2 ** 16

/** The protocols of servers, and of tools and functions of the program. */
const ADDRESS = /^(?:https?|wss?|mcp|local):/i

/** Whether a request can have gone to a value: no other one is read as a URL. */
export function isAddress(value: JsonValue): value is string {
  return typeof value === 'string' && ADDRESS.test(value) && URL.canParse(value)
}

/** What references lead to, of an exchange. */
export interface Referred {
  id: string
  prompt: Texts
  text: Texts
  renewed: readonly JsonValue[]
  /** The JSON of its request, as the file has it. */
  body?: JsonValue
}

/** The whole of a text. */
export function joined(text: Texts): string {
  return typeof text === 'string' ? text : text.join('')
}

/** Where a marker stands. */
interface From {
  /** The place of its exchange in the file. */
  index: number
  /** The exchange that the body of this request is like. */
  like?: string
  isResponse?: boolean
}

/** Puts values in the place of the markers of a file. Each body is resolved when it is first asked for. */
export class References {
  readonly #all: readonly Referred[]
  readonly #load: (name: string) => string
  readonly #places: Map<string, number> = new Map()
  readonly #bodies: Map<number, JsonValue> = new Map()
  readonly #sizes: Sizes = { total: 0, known: new WeakMap(), files: new Set() }
  /** The texts of files, by their markers: an agent sends its screenshots in every turn, and they are one text. */
  readonly #files: Map<string, string> = new Map()

  /**
   * @param all what references can lead to, in the order of the file
   * @param load the base64 of a file of the folder `blobs`
   */
  constructor(all: readonly Referred[], load: (name: string) => string) {
    this.#all = all
    this.#load = load
    for (const [index, { id }] of all.entries()) this.#places.set(id, index)
  }

  /** Refuses an exchange that has to wait for one that does not stand before it. */
  refuseLater(after: string, index: number): void {
    if ((this.#places.get(after) ?? index) < index) return
    const place = `at /exchanges/${index}/request/after`
    throw refuseFile(`${place}: no earlier exchange is called ${after}`, 'invalid')
  }

  /** The address of a request. */
  url(index: number, value: JsonValue): string {
    const url = this.#resolve(value, { index })
    if (isAddress(url)) return url
    throw refuseFile('it is no address of a server', 'invalid')
  }

  /** The JSON of a request. */
  requestBody(index: number): JsonValue | undefined {
    const { body } = this.#all[index]!
    if (body === undefined) return undefined
    let resolved = this.#bodies.get(index)
    if (resolved === undefined) {
      const isLike = isJsonObject(body) && body.$like !== undefined
      resolved = isLike ? this.#overlay(body, index) : this.#resolve(body, { index })
      if (!isContainer(resolved)) throw refuseFile('a request is no object and no list', 'invalid')
      this.#bodies.set(index, counted(resolved, this.#sizes))
    }
    return resolved
  }

  /** A part of a request that is no JSON as a whole: a line, a frame, a part of a form. */
  requestPart(index: number, value: JsonValue): JsonValue {
    return counted(this.#resolve(value, { index }), this.#sizes)
  }

  /** The JSON of a response, or of a part of it. */
  response(index: number, value: JsonValue): JsonValue {
    return counted(this.#resolve(value, { index, isResponse: true }), this.#sizes)
  }

  /** The items that an item with `$each` stands for; itself without any. */
  static spread(item: JsonValue): JsonValue[] {
    const lengths = new Set<number>()
    lengthsOf(item, lengths)
    if (lengths.size === 0) return [item]
    const [length] = lengths
    if (lengths.size > 1 || length === 0)
      throw refuseFile('the lists of an $each differ in length', 'invalid')
    return Array.from({ length: length! }, (_, at) => pick(item, at))
  }

  #overlay({ $like, $without = [], ...members }: JsonObject, index: number): JsonValue {
    const base = this.requestBody(this.#placeOf($like, index))
    if (!isJsonObject(base)) throw refuseFile('a $like leads to no object', 'invalid')
    const dropped = listOf($without)
    if (!dropped.every((key) => typeof key === 'string' && Object.hasOwn(base, key)))
      throw refuseFile('a $without has a key that is not there', 'invalid')
    const like = String($like)
    const from: From = { index, like }
    const own = this.#members(members, { from, at: [] }, (value, told) =>
      this.#resolve(value, from, told.at),
    )
    const kept = Object.entries(base).filter(([key]) => !dropped.includes(key))
    return Object.fromEntries([...kept, ...Object.entries(own)])
  }

  #resolve(value: JsonValue, from: From, at: readonly string[] = []): JsonValue {
    return fold(value, { from, at }, this.#resolveOne, tooLarge)
  }

  readonly #resolveOne = (value: JsonValue, told: Told, inside: Inside): JsonValue => {
    const { from } = told
    if (!isContainer(value)) return value
    if (Array.isArray(value)) return this.#items(value, told, inside)
    const [first] = Object.keys(value)
    if (first?.[0] !== '$' || unescapeKey(first) !== undefined)
      return this.#members(value, told, inside)
    switch (first) {
      case '$':
        only(value, '$')
        return this.#valueAt(value.$!, from)
      case '$join':
        only(value, '$join')
        return listOf(value.$join)
          .map((piece) => this.#textOf(piece, from))
          .join('')
      case '$file': {
        only(value, '$file', 'before')
        const { $file, before = '' } = value
        if (typeof $file !== 'string' || typeof before !== 'string')
          throw refuseFile('a $file is no name', 'invalid')
        return this.#fileOf($file, before)
      }
      default:
        throw refuseFile(`a ${first} stands where none may stand`, 'unsupported')
    }
  }

  #fileOf(name: string, before: string): string {
    const key = `${name} ${before}`
    let text = this.#files.get(key)
    if (text === undefined) {
      text = before + this.#load(name)
      this.#files.set(key, text)
      this.#sizes.files.add(text)
    }
    return text
  }

  #members(value: JsonObject, { from, at }: Told, inside: Inside): JsonObject {
    let isSame = true
    const entries: Array<[string, JsonValue]> = []
    // A loop: of a deep value, each level would take the frames of a callback too.
    for (const [key, child] of Object.entries(value)) {
      const name = unescapeKey(key)
      if (name === undefined) throw refuseFile(`a ${key} stands beside other keys`, 'unsupported')
      const resolved = inside(child, { from, at: from.like === undefined ? at : [...at, name] })
      isSame &&= name === key && resolved === child
      entries.push([name, resolved])
    }
    return isSame ? value : Object.fromEntries(entries)
  }

  #items(list: readonly JsonValue[], { from, at }: Told, inside: Inside): JsonValue[] {
    const items: JsonValue[] = []
    let isSame = true
    for (const item of list) {
      if (isJsonObject(item) && item.$items !== undefined) {
        const range = this.#range(item, at, from)
        if (items.length + range.length > MAX_ITEMS) throw tooLarge()
        for (const one of range) items.push(one)
        isSame = false
        continue
      }
      const resolved = inside(item, {
        from,
        at: from.like === undefined ? at : [...at, String(items.length)],
      })
      isSame &&= resolved === item
      items.push(resolved)
    }
    return isSame ? (list as JsonValue[]) : items
  }

  #range(marker: JsonObject, at: readonly string[], { index, like }: From): JsonValue[] {
    only(marker, '$items', '$of')
    if (like === undefined)
      throw refuseFile('an $items stands outside of a body with $like', 'unsupported')
    const list = valueAt(this.requestBody(this.#placeOf(marker.$of ?? like, index)), at)
    const [start, end] = listOf(marker.$items)
    if (
      !Array.isArray(list) ||
      !isPlace(start) ||
      !isPlace(end) ||
      start >= end ||
      end > list.length
    )
      throw refuseFile('an $items leads to no items', 'invalid')
    return list.slice(start, end)
  }

  #textOf(piece: JsonValue, from: From): string {
    const text = this.#resolve(piece, from)
    // A number that a marker leads to; one that stands there itself is no text.
    if (text !== piece && (typeof text === 'number' || isRawNumber(text)))
      return JSON.stringify(text)
    if (typeof text !== 'string')
      throw refuseFile('a $join holds something that is no text', 'invalid')
    return text
  }

  #valueAt(source: JsonValue, from: From): JsonValue {
    if (typeof source === 'number') {
      const value = this.#all[from.index]!.renewed[source]
      if (!from.isResponse || value === undefined)
        throw refuseFile(`there is no renewed value ${source}`, 'invalid')
      return value
    }
    const text = typeof source === 'string' ? source : ''
    const [, at, pointer] = /^([\w-]*)(\/.*)$/s.exec(text) ?? []
    if (pointer !== undefined) {
      const place = at === '' && from.isResponse ? from.index : this.#placeOf(at, from.index)
      const value = valueAt(this.requestBody(place), keysOfPointer(pointer))
      if (value === undefined) throw refuseFile(`'${text}' leads nowhere`, 'invalid')
      return value
    }
    const [, id, what, start, end] = SOURCE.exec(text) ?? []
    if (what === undefined) throw refuseFile(`${JSON.stringify(source)} is no source`, 'invalid')
    const known = this.#all[id === undefined ? from.index : this.#placeOf(id, from.index)]!
    if (what !== 'prompt' && what !== 'text') {
      const value =
        id === undefined || start !== undefined ? undefined : known.renewed[Number(what)]
      if (value === undefined) throw refuseFile(`'${text}' leads nowhere`, 'invalid')
      return value
    }
    if (what === 'text' && id === undefined && !from.isResponse)
      throw refuseFile("a request has no 'text' of its own", 'invalid')
    const texts = known[what]
    if (start === undefined) return joined(texts)
    const [first, last] = [Number(start), Number(end)]
    if (typeof texts === 'string' || first >= last || last > texts.length)
      throw refuseFile(`'${text}' leads nowhere`, 'invalid')
    return texts.slice(first, last).join('')
  }

  #placeOf(id: JsonValue | undefined, index: number): number {
    const place = this.#places.get(id as string)
    if (place === undefined || place >= index)
      throw refuseFile(`no earlier exchange is called ${JSON.stringify(id)}`, 'invalid')
    return place
  }
}

/** Where a value stands that is being resolved. */
interface Told {
  from: From
  /** The keys that lead to it in a body with `$like`. */
  at: readonly string[]
}

type Inside = (value: JsonValue, told: Told) => JsonValue

interface Measured {
  size: number
  depth: number
}

/** The bodies of a file so far. */
interface Sizes {
  total: number
  known: WeakMap<object, Measured>
  /** The texts of files, which do not count. */
  files: Set<string>
}

/** Refuses a body with which those of the file are too large. */
function counted(value: JsonValue, sizes: Sizes): JsonValue {
  const { size, depth } = measure(value, sizes)
  sizes.total += size
  if (sizes.total > MAX_SIZE || depth > MAX_DEPTH) throw tooLarge()
  return value
}

/** Values that exchanges share are measured once. */
function measure(value: JsonValue, sizes: Sizes): Measured {
  const measureOne = (
    one: JsonValue,
    _: undefined,
    inside: (part: JsonValue, _: undefined) => Measured,
  ): Measured => {
    if (typeof one === 'string') return { size: sizes.files.has(one) ? 0 : one.length, depth: 0 }
    if (!isContainer(one)) return { size: 8, depth: 0 }
    let measured = sizes.known.get(one)
    if (measured) return measured
    measured = { size: CONTAINER, depth: 0 }
    const isList = Array.isArray(one)
    // Lists of references can be very long: no pair is made for each of their items.
    for (const key of isList ? one.keys() : Object.keys(one)) {
      const { size, depth } = inside((one as JsonObject)[key]!, undefined)
      measured.size += size + (isList ? 1 : (key as string).length)
      measured.depth = Math.max(measured.depth, depth + 1)
    }
    sizes.known.set(one, measured)
    return measured
  }
  return fold(value, undefined, measureOne, tooLarge)
}

/** A renewed value of an earlier exchange, or a text of one, or of the exchange itself, or some strings of that. */
const SOURCE = /^(?:([\w-]+)\.)?(0|[1-9]\d*|prompt|text)(?:\.(\d+)-(\d+))?$/

function isPlace(value: JsonValue | undefined): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(value)) throw refuseFile('a marker that needs a list has none', 'invalid')
  return value
}

function only(marker: JsonObject, ...known: string[]): void {
  for (const key in marker)
    if (!known.includes(key))
      throw refuseFile(`a ${known[0]} holds something that is unknown: ${key}`, 'unsupported')
}

/** The lists of an item, if it has any. */
function lengthsOf(value: JsonValue, lengths: Set<number>): void {
  walk(value, (one) => {
    if (!isEach(one)) return false
    only(one, '$each')
    const { $each: values } = one
    if (!Array.isArray(values)) throw refuseFile('an $each has no list', 'invalid')
    // As with `$items`: texts and numbers take little more than they say.
    if (values.length > MAX_ITEMS && values.some(isContainer)) throw tooLarge()
    lengths.add(values.length)
    return true
  })
}

function pick(value: JsonValue, at: number): JsonValue {
  return rewrite(value, (one) => (isEach(one) ? (one.$each as JsonValue[])[at]! : undefined))
}

function isEach(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && Object.keys(value)[0] === '$each'
}

function tooLarge(): Error {
  return refuseFile('its bodies are too large', 'invalid')
}
