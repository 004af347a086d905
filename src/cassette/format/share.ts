import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import { fold, walk, textsOfJson } from '../../json/walk.ts'
import { below } from '../../json/json-pointer.ts'
import { extractBlob } from './extract-blob.ts'
import { escapeKey } from './markers.ts'
import type { Texts } from './references.ts'

/** Shorter values read better where they stand than as a reference. */
const MIN_SHARED = 256

/** What a model said is stored once from this length on. */
const MIN_ANSWER = 32

/** A shorter text could be a word of the protocol. */
const MIN_OWN = 8

/** From this length on, a text with several lines has a line of the file for each. */
const MIN_LINES = 80

/** A body is compared with so many before it: more conversations rarely run side by side. */
const MAX_CANDIDATES = 16

/** Items that are shorter together read better where they stand. */
const MIN_RUN = 48

/** The least mean length of a line. A text below it consists mostly of line ends, and nobody reads it. */
const MIN_MEAN = 4

/** The lines of a text, each with its end; the whole text as one if it consists mostly of line ends. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length
    lines.push(text.slice(start, end))
    start = end
    if (lines.length > 1_000 && start < lines.length * MIN_MEAN) return [text]
  }
  return lines
}

/** A text as a file holds it: line by line where it has several, so that one line is one line of a diff. */
export function linesOfText(text: string): Texts {
  if (text.length < MIN_LINES || !text.includes('\n')) return text
  const lines = linesOf(text)
  return lines.length > 1 ? lines : text
}

/** What is known of an exchange before its bodies are stored. */
export interface Shown {
  id: string
  prompt: string
  text: string
  /** What the provider made anew: see `renewed` in docs/format.md. */
  renewed: readonly JsonValue[]
}

interface Stored {
  id: string
  body: JsonValue
}

/**
 * Stores the bodies of a cassette so that each text stands in it once. A conversation sends its whole history in every
 * request: the stored form has the new part, and refers to an earlier exchange for the rest.
 */
export class Sharing {
  readonly #save: ((name: string, bytes: Buffer) => void) | undefined
  readonly #identities: Identities = new Identities()
  readonly #bodies: Stored[] = []
  /** The identities of the items of lists that later bodies are compared with. */
  readonly #items: WeakMap<JsonValue[], ReadonlySet<string>> = new WeakMap()
  /** What can be referred to, by its identity. */
  readonly #sources: Map<string, string> = new Map()
  readonly #runs: Runs = new Runs()
  /** Sources of the exchange that is being stored: its own prompt, text and renewed values. */
  #own: Map<string, string | number> = new Map()
  #shown: Shown | undefined
  /** The sources of a request can be used from the next exchange on. */
  #pending: Array<[identity: string, pointer: string]> = []
  #pieces: Array<[identity: string, source: string]> = []

  /** @param save gets the name and the bytes of each file of the folder `blobs`; without it, there are none */
  constructor(save?: (name: string, bytes: Buffer) => void) {
    this.#save = save
  }

  /**
   * Begins an exchange.
   *
   * @param body the JSON of its request
   * @returns its prompt as the file has it: long texts of the request are strings of their own in it
   */
  open(shown: Shown, body: JsonValue | undefined): Texts {
    this.#close()
    this.#shown = shown
    this.#own = new Map()
    const cut = body === undefined ? undefined : cutPrompt(shown.prompt, body)
    for (const { text, from, to } of cut?.found ?? []) {
      const place = `prompt.${from}-${to}`
      this.#own.set(this.#identities.of(text), place)
      this.#pieces.push([this.#identities.of(text), place])
    }
    if (shown.prompt.length >= MIN_OWN) this.#own.set(this.#identities.of(shown.prompt), 'prompt')
    return cut?.pieces ?? linesOfText(shown.prompt)
  }

  #close(): void {
    if (!this.#shown) return
    const { id, prompt, text, renewed } = this.#shown
    const note = (identity: string, source: string): void => {
      if (!this.#sources.has(identity)) this.#sources.set(identity, source)
    }
    const add = (value: JsonValue, source: string, least: number): void => {
      if (sizeOf(value) >= least) note(this.#identities.of(value), source)
    }
    for (const [at, value] of renewed.entries()) add(value, `${id}.${at}`, 1)
    add(text, `${id}.text`, MIN_ANSWER)
    add(prompt, `${id}.prompt`, MIN_ANSWER)
    for (const [identity, place] of this.#pieces) note(identity, `${id}.${place}`)
    for (const [identity, pointer] of this.#pending) note(identity, `${id}${pointer}`)
    this.#pending = []
    this.#pieces = []
    this.#shown = undefined
  }

  /** The stored form of the JSON of a request. */
  request(body: JsonValue): JsonValue {
    const { id } = this.#shown!
    const stored = this.#like(body) ?? this.#store(body, '', undefined)
    this.#bodies.push({ id, body })
    for (const [pointer, list] of listsOf(body)) this.#runs.add(pointer, id, this.#keysOf(list))
    return stored
  }

  /** The stored form of a part of a request that is no JSON as a whole. */
  part(value: JsonValue): JsonValue {
    return this.#store(value, undefined, undefined)
  }

  /** The stored form of an address: ids that an earlier response made stand as references. */
  url(url: string): JsonValue {
    const pieces: JsonValue[] = []
    let rest = url
    for (const word of url.match(/[\w-]{9,}/g) ?? []) {
      const source = /\d/.test(word) ? this.#sources.get(this.#identities.of(word)) : undefined
      if (source === undefined || !/\.\d+$/.test(source)) continue
      const at = rest.indexOf(word)
      if (at > 0) pieces.push(rest.slice(0, at))
      pieces.push({ $: source })
      rest = rest.slice(at + word.length)
    }
    if (pieces.length === 0) return url
    return { $join: rest === '' ? pieces : [...pieces, rest] }
  }

  /** Begins the response: it can refer to what is new in it, and to what was asked. */
  answer(body: JsonValue | undefined): void {
    const { text, renewed } = this.#shown!
    if (text.length >= MIN_OWN) this.#own.set(this.#identities.of(text), 'text')
    for (const [at, value] of renewed.entries()) {
      const identity = this.#identities.of(value)
      if (typeof value === 'string' || !this.#own.has(identity)) this.#own.set(identity, at)
    }
    if (!isJsonObject(body)) return
    for (const [key, value] of Object.entries(body)) {
      if (sizeOf(value) < MIN_SHARED) continue
      const identity = this.#identities.of(value)
      if (!this.#own.has(identity)) this.#own.set(identity, below('', key))
    }
  }

  /** The stored form of the JSON of a response, or of a part of it. */
  response(value: JsonValue): JsonValue {
    return this.#store(value, undefined, undefined)
  }

  /** A body as another one with other members; `undefined` where too little is equal. */
  #like(body: JsonValue): JsonValue | undefined {
    if (!isJsonObject(body)) return undefined
    let best: { stored: Stored; score: number } | undefined
    for (const stored of this.#bodies.slice(-MAX_CANDIDATES).toReversed()) {
      if (!isJsonObject(stored.body)) continue
      const score = this.#likeness(body, stored.body)
      if (score > (best?.score ?? MIN_RUN)) best = { stored, score }
    }
    if (!best) return undefined
    const { id, body: base } = best.stored as { id: string; body: JsonObject }
    const dropped = Object.keys(base).filter((key) => !Object.hasOwn(body, key))
    const kept = Object.keys(base).filter((key) => Object.hasOwn(body, key))
    const added = Object.keys(body).filter((key) => !Object.hasOwn(base, key))
    // Another order would be another text.
    if ([...kept, ...added].some((key, at) => key !== Object.keys(body)[at])) return undefined
    const members = [...kept, ...added]
      .filter((key) => !Object.hasOwn(base, key) || !this.#isSame(base[key]!, body[key]!))
      .map((key) => [escapeKey(key), this.#store(body[key]!, below('', key), id)])
    return {
      $like: id,
      ...(dropped.length > 0 ? { $without: dropped } : {}),
      ...(Object.fromEntries(members) as JsonObject),
    }
  }

  /** About how many characters a body would not have to repeat. */
  #likeness(body: JsonObject, base: JsonObject): number {
    return fold<number, JsonObject>(body, base, (owner, others, inside) => {
      let score = 0
      for (const [key, value] of Object.entries(owner as JsonObject)) {
        if (!Object.hasOwn(others, key)) continue
        const other = others[key]!
        if (this.#isSame(value, other)) score += sizeOf(value) + key.length
        else if (Array.isArray(value) && Array.isArray(other))
          score += this.#sharedItems(value, other)
        else if (isJsonObject(value) && isJsonObject(other)) score += inside(value, other)
      }
      return score
    })
  }

  #sharedItems(list: JsonValue[], other: JsonValue[]): number {
    const known = this.#items.get(other) ?? new Set(this.#keysOf(other))
    this.#items.set(other, known)
    return list.reduce<number>(
      (sum, item) => sum + (known.has(this.#identities.of(item)) ? sizeOf(item) : 0),
      0,
    )
  }

  #isSame(one: JsonValue, other: JsonValue): boolean {
    if (one === other) return true
    if (typeof one !== 'object' && typeof other !== 'object') return false
    return this.#identities.of(one) === this.#identities.of(other)
  }

  /**
   * @param pointer where the value stands in the JSON of a request; `undefined` elsewhere
   * @param like the exchange that the body is like
   */
  #store(value: JsonValue, pointer: string | undefined, like: string | undefined): JsonValue {
    return fold(value, { pointer, like }, this.#storeOne)
  }

  readonly #storeOne = (value: JsonValue, { pointer, like }: Told, inside: Inside): JsonValue => {
    if (typeof value === 'string' || isContainer(value) || isNumber(value)) {
      const found = this.#sourceOf(value)
      if (found !== undefined) return { $: found }
    }
    if (!isContainer(value))
      return typeof value === 'string' ? this.#storeText(value, pointer) : value
    if (pointer !== undefined) this.#remember(value, pointer)
    if (Array.isArray(value)) return this.#storeItems(value, { pointer, like }, inside)
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        escapeKey(key),
        inside(child, { pointer: pointer === undefined ? undefined : below(pointer, key), like }),
      ]),
    )
  }

  #storeText(text: string, pointer: string | undefined): JsonValue {
    if (text.length < MIN_LINES) return text
    if (pointer !== undefined) this.#remember(text, pointer)
    const file = this.#save && extractBlob(text, this.#save)
    if (file) return { ...file }
    // In a response, a text is a part of one line.
    const lines = pointer === undefined ? text : linesOfText(text)
    return typeof lines === 'string' ? lines : { $join: [...lines] }
  }

  #storeItems(list: JsonValue[], { pointer, like }: Told, inside: Inside): JsonValue {
    const keys = like === undefined ? [] : this.#keysOf(list)
    const stored: JsonValue[] = []
    for (let at = 0; at < list.length;) {
      const run = like === undefined ? undefined : this.#runs.find(pointer!, keys, at, like)
      const size = run
        ? list.slice(at, at + run.count).reduce<number>((sum, item) => sum + sizeOf(item), 0)
        : 0
      if (run && size >= MIN_RUN) {
        const { id, from, count } = run
        stored.push({ $items: [from, from + count], ...(id === like ? {} : { $of: id }) })
        at += run.count
      } else {
        const place = pointer === undefined ? undefined : below(pointer, at)
        // Lists inside an item of a list are a part of it, and no history of their own.
        stored.push(inside(list[at]!, { pointer: place, like: undefined }))
        at++
      }
    }
    return stored
  }

  #sourceOf(value: JsonValue): string | number | undefined {
    if (!isContainer(value) && sizeOf(value) < MIN_OWN && !isNumber(value)) return undefined
    const identity = this.#identities.of(value)
    return this.#own.get(identity) ?? this.#sources.get(identity)
  }

  #remember(value: JsonValue, pointer: string): void {
    if (pointer !== '' && sizeOf(value) >= MIN_SHARED)
      this.#pending.push([this.#identities.of(value), pointer])
  }

  #keysOf(list: readonly JsonValue[]): string[] {
    return list.map((item) => this.#identities.of(item))
  }
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || isRawNumber(value)
}

/** Where a value stands that is being stored. */
interface Told {
  /** Where it stands in the JSON of a request; `undefined` elsewhere. */
  pointer: string | undefined
  /** The exchange that its body is like. */
  like: string | undefined
}

type Inside = (value: JsonValue, told: Told) => JsonValue

/** The lists of a body that are no part of an item of a list, by their places. */
function listsOf(value: JsonValue): Array<[string, JsonValue[]]> {
  const lists: Array<[string, JsonValue[]]> = []
  walk(value, (one, at) => {
    if (!Array.isArray(one)) return false
    lists.push([at.reduce<string>(below, ''), one])
    return true
  })
  return lists
}

const sizes = new WeakMap<object, number>()

/** About how many characters a value takes. */
function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length
  return fold(value, undefined, (one, _, inside): number => {
    if (typeof one === 'string') return one.length
    if (!isContainer(one)) return JSON.stringify(one).length
    let size = sizes.get(one)
    if (size !== undefined) return size
    size = 2
    for (const [key, child] of Object.entries(one))
      size += inside(child, undefined) + (Array.isArray(one) ? 2 : key.length + 4)
    sizes.set(one, size)
    return size
  })
}

/** A longer name is replaced by a short one. */
const LONG = 64

/** Gives equal values equal names, letter for letter and key for key. */
class Identities {
  readonly #texts: Map<string, string> = new Map()
  readonly #names: Map<string, string> = new Map()
  readonly #known: WeakMap<object, string> = new WeakMap()

  of(value: JsonValue): string {
    if (typeof value === 'string') return this.#ofText(value)
    return fold(value, undefined, (one, _, inside): string => {
      if (typeof one === 'string') return this.#ofText(one)
      if (!isContainer(one)) return this.#short(JSON.stringify(one))
      const known = this.#known.get(one)
      if (known !== undefined) return known
      const isList = Array.isArray(one)
      let text = isList ? '[' : '{'
      for (const [key, child] of Object.entries(one)) {
        const name = inside(child, undefined)
        text += isList ? `${name},` : `${JSON.stringify(key)}:${name},`
      }
      const name = this.#short(text)
      this.#known.set(one, name)
      return name
    })
  }

  /** Long texts are spelled once: they are asked for again and again. */
  #ofText(text: string): string {
    if (text.length < LONG) return this.#short(JSON.stringify(text))
    let name = this.#texts.get(text)
    if (name === undefined) this.#texts.set(text, (name = this.#short(JSON.stringify(text))))
    return name
  }

  #short(text: string): string {
    if (text.length <= LONG) return text
    let name = this.#names.get(text)
    // No JSON begins like this.
    if (name === undefined) this.#names.set(text, (name = `~${this.#names.size}`))
    return name
  }
}

/** Finds the items that a list shares with earlier ones, also where the oldest were dropped or summarised. */
class Runs {
  readonly #lists: Array<{ id: string; keys: string[] }> = []
  readonly #occurrences: Map<string, Array<[list: number, at: number]>> = new Map()

  add(pointer: string, id: string, keys: string[]): void {
    const list = this.#lists.push({ id, keys }) - 1
    for (const [at, key] of keys.entries()) {
      const place = `${pointer} ${key}`
      const known = this.#occurrences.get(place) ?? []
      this.#occurrences.set(place, [[list, at], ...known].slice(0, MAX_CANDIDATES) as never)
    }
  }

  /** The longest run that begins with item `start`; of equal ones that of the exchange `like`, then the latest. */
  find(
    pointer: string,
    keys: readonly string[],
    start: number,
    like: string,
  ): { id: string; from: number; count: number } | undefined {
    let best: { id: string; from: number; count: number } | undefined
    for (const [list, from] of this.#occurrences.get(`${pointer} ${keys[start]}`) ?? []) {
      const { id, keys: earlier } = this.#lists[list]!
      let count = 0
      while (start + count < keys.length && keys[start + count] === earlier[from + count]) count++
      const isBetter =
        !best || count > best.count || (count === best.count && id === like && best.id !== like)
      if (isBetter) best = { id, from, count }
    }
    return best
  }
}

interface CutPrompt {
  pieces: string[]
  found: Array<{ text: string; from: number; to: number }>
}

/** Cuts a prompt so that each long text of the request is one or several strings of it. */
function cutPrompt(shown: string, body: JsonValue): CutPrompt | undefined {
  const places: Array<{ text: string; start: number }> = []
  for (const text of textsOfJson(body)) {
    if (text.length < MIN_LINES || text.length >= shown.length) continue
    const start = shown.indexOf(text)
    if (start >= 0) places.push({ text, start })
  }
  if (places.length === 0) return undefined
  const pieces: string[] = []
  const found: CutPrompt['found'] = []
  let end = 0
  for (const { text, start } of places.sort((one, other) => one.start - other.start)) {
    // A text that begins inside another is stored twice.
    if (start < end) continue
    if (start > end) pieces.push(...linesOf(shown.slice(end, start)))
    const lines = linesOf(text)
    found.push({ text, from: pieces.length, to: pieces.length + lines.length })
    pieces.push(...lines)
    end = start + text.length
  }
  if (end < shown.length) pieces.push(...linesOf(shown.slice(end)))
  return { pieces, found }
}
