import { isJsonObject, isRawNumber, type JsonValue } from '../json/json-value.ts'
import { everyValue, fold, type JsonPlace } from '../json/walk.ts'
import type { Body } from '../wire/body.ts'
import { responsePlaces, type ResponsePlaces, roleAt } from '../providers/dialects.ts'
import { Numbers } from '../text/numbers.ts'
import { COUNTING_HEADERS } from '../wire/headers.ts'
import {
  type Channel,
  channelInside,
  channelOfEvent,
  channelOfItem,
  isAnswerList,
  isInPieces,
} from '../wire/channels.ts'
import type { WireResponse } from '../wire/message.ts'
import { mapBody, UNREADABLE } from '../wire/replace-texts.ts'

/** An answer without the values that its provider generates anew, and without the cuts of its stream. */
export interface FoldedAnswer {
  /** Its content by place. Two answers that say the same have the same `said`. */
  said: string
  /** The content without the parts that the answer repeats of its request. */
  saidItself: string
  /** Its values by place, without the parts that it repeats. */
  places: ReadonlyMap<Channel, readonly JsonValue[]>
  /** The ids in it, in order of first appearance. */
  ids: string[]
  /** The values in it that do not count, as they are spelled. */
  figures: string[]
  /** What its prompt took, as it is spelled. */
  usage: string[]
}

/** Events that only keep a connection alive. */
const ALIVE = new Set(['ping', 'keepalive'])

/** The start of a text that replaces an id. */
const MARK = '\u0000id:'

/** Whether a value of a folded answer stands for an id. */
export function isMark(value: JsonValue): boolean {
  return typeof value === 'string' && value.startsWith(MARK)
}

/** Folds an answer by the places that its dialect renews. */
export function foldAnswer(response: WireResponse, dialect: string): FoldedAnswer {
  const folder = new Folder(responsePlaces(dialect), isStream(response.body))
  for (const { name, value } of piecesOf(response.body)) folder.add(value, name)
  const { status, headers, cut = false, aborted, body } = response
  const names = Object.keys(headers)
    .filter((name) => COUNTING_HEADERS.has(name))
    .sort()
  const head = [status, names.map((key) => [key, headers[key]]), cut, typeof aborted, body.kind]
  return folder.close(head as JsonValue)
}

/** A value in an answer: its path, its channel, and the map that takes it. */
interface Told {
  at: JsonPlace
  channel: Channel
  into: Map<Channel, JsonValue[]>
}

type Inside = (value: JsonValue, told: Told) => void

class Folder {
  readonly #places: ResponsePlaces
  readonly #streams: boolean
  readonly #said: Map<Channel, JsonValue[]> = new Map()
  readonly #echoed: Map<Channel, JsonValue[]> = new Map()
  readonly #sealed: Map<Channel, string> = new Map()
  readonly #ids: Numbers = new Numbers()
  readonly #uncounted: Record<'ignored' | 'usage', Set<string>> = {
    ignored: new Set(),
    usage: new Set(),
  }
  readonly #changes: Array<[place: number, length: number]> = []
  /** How many characters of its texts a stream has brought so far. */
  #length = 0

  constructor(places: ResponsePlaces, streams: boolean) {
    this.#places = places
    this.#streams = streams
  }

  add(value: JsonValue, name: string | undefined): void {
    if (!isJsonObject(value)) return this.#say(this.#said, name ?? '', value)
    if (this.#streams && ALIVE.has(String(value.type))) return
    // An id can tell the texts of a stream apart.
    const { id } = value
    const named = typeof id === 'string' && roleAt(this.#places, ['id']) === 'renewed'
    const owner = named ? { ...value, id: this.#mark(id) } : value
    const channel = this.#streams ? channelOfEvent(name, owner) : ''
    const first: Told = { at: [], channel, into: this.#said }
    fold(value, first, (one, told, inside) => this.#take(one, told, inside))
    for (const change of this.#changes.splice(0)) change[1] = this.#length
  }

  close(head: JsonValue): FoldedAnswer {
    for (const [channel, text] of this.#sealed) this.#say(this.#said, channel, this.#mark(text))
    const itself = JSON.stringify([head, [...this.#said]])
    return {
      saidItself: itself,
      said: JSON.stringify([itself, [...this.#echoed]]),
      places: this.#said,
      ids: this.#ids.values(),
      figures: [...this.#uncounted.ignored],
      usage: [...this.#uncounted.usage],
    }
  }

  #take(value: JsonValue, { at, channel, into }: Told, inside: Inside): void {
    const role = roleAt(this.#places, at)
    if (role === 'ignored' || role === 'usage') {
      const uncounted = this.#uncounted[role]
      for (const figure of everyValue(value)) if (isFigure(figure)) uncounted.add(spell(figure))
      return
    }
    if ((role === 'renewed' || role === 'renewed-in-pieces') && typeof value === 'string') {
      if (value === '') return this.#say(into, channel, '')
      if (role === 'renewed') return this.#say(into, channel, this.#mark(value))
      this.#sealed.set(channel, (this.#sealed.get(channel) ?? '') + value)
      return
    }
    if (role === 'running-total') return void into.set(channel, [value])
    const where = role === 'repeats-request' ? this.#echoed : into
    if (role === 'one-value' && this.#streams) {
      const inner = new Map<Channel, JsonValue[]>()
      this.#takeInside(value, { at, channel: '', into: inner }, inside)
      this.#length++
      const known = where.get(channel)
      if (known) known.push([...inner] as JsonValue)
      else where.set(channel, [[...inner] as JsonValue])
      return
    }
    this.#takeInside(value, { at, channel, into: where }, inside)
  }

  #takeInside(value: JsonValue, { at, channel, into }: Told, inside: Inside): void {
    if (Array.isArray(value)) {
      if (value.length === 0) return this.#say(into, channel, value)
      for (const [position, item] of value.entries()) {
        const inner = this.#streams
          ? channelOfItem(channel, item, position)
          : `${channel}[${position}]`
        inside(item, { at: [...at, position], channel: inner, into })
      }
    } else if (isJsonObject(value)) {
      // Sorted by name: the order of the keys does not count.
      const keys = Object.keys(value).sort()
      if (keys.length === 0) return this.#say(into, channel, value)
      const own = this.#streams ? channelInside(channel, value) : channel
      for (const key of keys) {
        const below = this.#streams ? `${own}.${key}` : `${own}.${JSON.stringify(key)}`
        inside(value[key]!, { at: [...at, key], channel: below, into })
      }
    } else this.#say(into, channel, value)
  }

  /** Joins the pieces of a text. If a stream repeats a value in each event, only a change of the value counts. */
  #say(into: Map<Channel, JsonValue[]>, channel: Channel, value: JsonValue): void {
    if (typeof value === 'string' && isInPieces(channel)) this.#length += value.length
    const known = into.get(channel)
    if (!known) return void into.set(channel, [value])
    const last = known.at(-1)!
    if (typeof value === 'string' && typeof last === 'string' && isInPieces(channel))
      known[known.length - 1] = last + value
    else if (JSON.stringify(last) !== JSON.stringify(value)) this.#change(known, value)
  }

  /** Notes after how much text a repeated value of a stream changes. */
  #change(known: JsonValue[], value: JsonValue): void {
    const change: [number, number] = [known.length, 0]
    this.#changes.push(change)
    known.splice(-1, 1, known.at(-1)!, change as JsonValue, value)
  }

  #mark(id: string): string {
    return `${MARK}${this.#ids.of(id)}`
  }
}

/** Whether a value is a text or a number. */
function isFigure(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || isRawNumber(value)
}

function spell(figure: JsonValue): string {
  return typeof figure === 'string' ? figure : JSON.stringify(figure)
}

/** A part of an answer that arrived at once: all of it, or one event of a stream. */
interface Piece {
  /** The name of the event, where it has one. */
  name?: string
  value: JsonValue
}

/** The pieces of an answer; a text that is no JSON is one too, and so are bytes. */
export function piecesOf(body: Body): Piece[] {
  if (body.kind === 'bytes') return [{ value: Buffer.from(body.bytes).toString('base64') }]
  const pieces: Piece[] = []
  mapBody(
    body,
    (value, { name } = {}) => {
      pieces.push({ value, ...(name === undefined ? {} : { name }) })
      return value
    },
    (text, place) => {
      if (place === UNREADABLE) pieces.push({ value: text })
      return text
    },
  )
  return pieces
}

/** Whether an answer came in pieces. */
export function isStream(body: Body): boolean {
  const isList = body.kind === 'json' && isAnswerList(body.value) && body.value.length > 0
  return ['events', 'lines', 'frames'].includes(body.kind) || isList
}
