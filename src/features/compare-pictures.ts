import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { everyValue, fold, walk } from '../json/walk.ts'
import { type Exchange, isRecorded } from '../cassette/cassette.ts'
import type { ImageOptions } from '../config/options.ts'
import { findBase64, type FoundBase64 } from '../prompt/base64.ts'
import type { ToolCall } from '../prompt/completion.ts'
import { averageHash, hammingDistance, perceptualHash } from '../prompt/picture-hash.ts'
import { isFilePart, type Prompt } from '../prompt/prompt.ts'
import { sha256 } from '../prompt/sha256.ts'
import { numberOf } from '../providers/fields.ts'
import { type Blind, lookAtPicture, type Sight } from './look-at-picture.ts'
import type { Incoming } from '../engine/incoming.ts'
import { dialectFor, promptFor } from '../engine/read-prompt.ts'
import type { Recorded } from '../engine/recorded.ts'
import type {
  PictureComparer,
  Square,
  Point,
  PassedPictures,
  PictureComparison,
  Plane,
} from '../engine/rare-cases.ts'

/**
 * The largest difference of the mean colours, of 255. Plain areas have one hash whatever their colour: a white page
 * must not pass for a blue button.
 */
const MAX_TONE = 16

/** Compares the pictures of requests by their look. Apart from their pictures, the requests are the same. */
export class LookComparer implements PictureComparer {
  readonly #options: ImageOptions
  readonly #seen: Map<string, Sight | Blind> = new Map()
  /** The pictures to look at before the last question can be answered. */
  readonly #wanted: Map<string, () => Promise<Sight | Blind>> = new Map()
  readonly #points: WeakMap<Exchange, ReadonlyMap<string, readonly Point[]>> = new WeakMap()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: ImageOptions) {
    this.#options = options
  }

  /** Pictures do not count. */
  get #isBlind(): boolean {
    return this.#options.match === 'ignore'
  }

  /** The most bits a pair may differ in. */
  get #threshold(): number {
    return this.#options.threshold ?? 0
  }

  /**
   * The number of bits in which the least similar pair differs; `undefined` if a pair does not match, or was not
   * looked at yet.
   */
  distance(known: Recorded, asked: Incoming): number | undefined {
    const compared = this.compare(known, asked)
    if (!compared?.every((pair) => this.isAlike(pair))) return undefined
    return Math.max(0, ...compared.map(({ bits }) => bits?.distance ?? 0))
  }

  /** Whether two pictures look the same. If pictures count, it is false until both were looked at. */
  isAlike({ bits, fault }: PictureComparison): boolean {
    if (this.#isBlind) return true
    return fault === undefined && bits !== undefined && bits.distance <= this.#threshold
  }

  /** Compares each picture with the one in the same place, unless they are the same file. */
  compare(known: Recorded, asked: Incoming): PictureComparison[] | undefined {
    const pairs = pairPictures(known, asked)
    if (this.#isBlind) return pairs
    return pairs?.flatMap((pair) => {
      const points = this.#pointsOf(known.exchange, known.incoming!).get(pair.recorded.hash) ?? []
      const { region: side } = this.#options
      if (side === undefined || points.length === 0) return this.#compareSights(pair)
      return points.map((centre) => this.#compareSights({ ...pair, square: { centre, side } }))
    })
  }

  /** The pictures that passed in answered requests, counting each pair of pictures once. */
  passed(answered: ReadonlyArray<[known: Recorded, asked: Incoming]>): PassedPictures {
    const all = answered.flatMap(([known, asked]) => this.compare(known, asked) ?? [])
    const pairs = new Set(all.map(({ recorded, asked }) => `${recorded.hash} ${asked.hash}`)).size
    const farthest = Math.max(0, ...all.map(({ bits }) => bits?.distance ?? 0))
    return this.#isBlind
      ? { alike: 0, farthest, ignored: pairs }
      : { alike: pairs, farthest, ignored: 0 }
  }

  /**
   * Runs `then` once all pictures were looked at that `ask` needs. Requests take turns, so that the speed of reading
   * a picture does not decide which exchange answers.
   */
  inTurn<Result>(ask: () => unknown, then: () => Result): Promise<Result> {
    const result = this.#turn.then(async () => {
      for (ask(); this.#wanted.size > 0; ask()) await this.#look()
      return then()
    })
    this.#turn = result.catch(() => {})
    return result
  }

  async #look(): Promise<void> {
    const wanted = [...this.#wanted]
    this.#wanted.clear()
    for (const [key, look] of wanted) this.#seen.set(key, await look())
  }

  #compareSights(pair: PictureComparison): PictureComparison {
    const [old, current] = [pair.recorded, pair.asked].map((it) => this.#sightOf(it, pair.square))
    if (!old || !current) return pair
    if ('fault' in current) return { ...pair, fault: `the one asked ${current.fault}` }
    if ('fault' in old) return { ...pair, fault: `the recorded one ${old.fault}` }
    const hashOf = this.#options.match === 'ahash' ? averageHash : perceptualHash
    const hashes = { recorded: hashOf(old.grey), asked: hashOf(current.grey) }
    const bits = { ...hashes, distance: hammingDistance(hashes.recorded, hashes.asked) }
    return { ...pair, bits, fault: differenceOf(old, current) }
  }

  #sightOf({ base64, hash }: FoundBase64, square?: Square): Sight | Blind | undefined {
    const key = `${hash} ${JSON.stringify(square)}`
    const seen = this.#seen.get(key)
    if (!seen) this.#wanted.set(key, () => lookAtPicture(base64, square))
    return seen
  }

  #pointsOf(exchange: Exchange, request: Incoming): ReadonlyMap<string, readonly Point[]> {
    let points = this.#points.get(exchange)
    if (!points) {
      const calls = isRecorded(exchange)
        ? dialectFor(request).readCompletion(exchange.wire.response).toolCalls
        : (exchange.response.tool_calls ?? []).map((call) => ({
            name: call.tool_name,
            arguments: call.parameters,
          }))
      this.#points.set(exchange, (points = pointsByPicture(promptFor(request), calls)))
    }
    return points
  }
}

/**
 * The pictures of two requests that stand in the same place and are not the same file; `undefined` if one request has
 * more pictures.
 */
export function pairPictures(
  { incoming }: Recorded,
  asked: Incoming,
): PictureComparison[] | undefined {
  if (incoming?.pictures.length !== asked.pictures.length) return undefined
  return asked.pictures.flatMap((picture, index) => {
    const recorded = incoming.pictures[index]!
    return recorded.hash === picture.hash ? [] : { recorded, asked: picture }
  })
}

function differenceOf(one: Sight, other: Sight): string | undefined {
  if (one.width !== other.width || one.height !== other.height)
    return `${sizeOf(one)} pixels were recorded, ${sizeOf(other)} are asked`
  const tones = one.tone.map((value, index) => Math.abs(value - other.tone[index]!))
  const most = Math.round(Math.max(...tones))
  return most > MAX_TONE
    ? `the mean colour differs by ${most} of 255, more than ${MAX_TONE}`
    : undefined
}

function sizeOf({ width, height }: Sight): string {
  return `${width}×${height}`
}

/** Gemini's tools for browsers count from 0 to 1,000 on any display. Its own tools need no declaration. */
const PER_MILLE = /^(?:(?:click|hover|type_text|scroll)_at|drag_and_drop)$/

type Call = Pick<ToolCall, 'name' | 'arguments'>

/**
 * The points that tool calls name after each picture of a conversation and before the next one: in the prompt, and
 * for its last picture in the answer. They are stored by the hash of the picture; a picture that is sent twice has
 * the points of both places.
 *
 * @param answered the calls of the answer
 */
export function pointsByPicture(
  { messages, tools }: Prompt,
  answered: readonly Call[],
): ReadonlyMap<string, readonly Point[]> {
  const points = new Map<string, Point[]>()
  let current: Point[] = []
  const display = displayIn(tools as unknown as JsonValue)
  const declared = new Set(tools.map((tool) => tool.name))
  const name = (call: Call): void => {
    const isPerMille = PER_MILLE.test(call.name) && !declared.has(call.name)
    const plane = isPerMille ? { width: 1_000, height: 1_000 } : display
    for (const point of pointsIn(call.arguments)) current.push(plane ? { ...point, plane } : point)
  }
  const show = (value: JsonValue): void => {
    for (const hash of picturesIn(value)) {
      current = points.get(hash) ?? []
      points.set(hash, current)
    }
  }
  for (const { parts, extra = {} } of messages) {
    for (const part of parts) {
      if (part.type === 'tool_call') name(part)
      else show(part)
    }
    show(extra)
  }
  answered.forEach(name)
  return points
}

/** Reads points in the spellings of providers' tools: `coordinate: [3, 4]`, `x` and `y`, `start_x` and `start_y`. */
export function pointsIn(value: JsonValue): Point[] {
  return fold(value, undefined, (one, _, inside): Point[] => {
    if (Array.isArray(one)) return one.flatMap((item) => inside(item, undefined))
    if (!isJsonObject(one)) return []
    return Object.entries(one).flatMap(([key, child]) => {
      if (/(?:^|_)coordinate$/.test(key) && Array.isArray(child) && child.length === 2)
        return pointOf(child[0], child[1])
      if (/(?:^|_)x$/.test(key)) return pointOf(child, one[key.replace(/x$/, 'y')])
      return inside(child, undefined)
    })
  })
}

/** The size of the display that a computer-use tool declares. */
function displayIn(value: JsonValue): Plane | undefined {
  for (const one of everyValue(value).filter(isJsonObject)) {
    const width = numberOf(one.display_width_px ?? one.display_width)
    const height = numberOf(one.display_height_px ?? one.display_height)
    if (width && height) return { width, height }
  }
  return undefined
}

function pointOf(x: JsonValue | undefined, y: JsonValue | undefined): Point[] {
  const [across, down] = [numberOf(x), numberOf(y)]
  return across === undefined || down === undefined ? [] : [{ x: across, y: down }]
}

/** Pictures may stand deep in the result of a tool, and in fields that no dialect reads. */
function picturesIn(value: JsonValue): string[] {
  const found: string[] = []
  walk(value, (one) => {
    const content = typeof one === 'string' ? findBase64(one) : undefined
    if (content) found.push(sha256(content.base64))
    if (!isFilePart(one)) return false
    found.push(one.hash)
    return true
  })
  return found
}
