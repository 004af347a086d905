import { isRecorded, type Exchange } from '../cassette/format/cassette.ts'
import type { ImageOptions } from '../config/image-options.ts'
import type { FoundBase64 } from '../prompt/base64.ts'
import { averageHash, hammingDistance, perceptualHash } from '../prompt/picture-hash.ts'
import type { Dialect } from '../dialects/kit/dialect.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { lookAtPicture, type Blind, type Sight, type Square } from './look-at-picture.ts'
import { pointsByPicture, type Point } from './click-points.ts'

/** A request, as far as it says which pictures are in it and where they are pointed at. */
export interface PicturedRequest {
  pictures: readonly FoundBase64[]
  /** The prompt hash without what the pictures show. */
  hashBesidePictures: string
}

/** A recorded prompt, with the exchange it stands in. */
export interface Known<Request> {
  exchange: Exchange
  incoming?: Request
}

/** Reads what a request says beside its pictures. */
type ReadRequest<Request> = (request: Request) => { prompt: Prompt; dialect: Dialect }

/** What became of comparing two pictures that are not the same file. */
export interface Comparison {
  recorded: FoundBase64
  asked: FoundBase64
  /** What was compared; absent for the whole picture. */
  square?: Square
  /** The hashes and in how many bits they differ. */
  bits?: { recorded: bigint; asked: bigint; distance: number }
  /** Why they are two pictures, whatever their hashes. */
  fault?: string
}

/**
 * How far the mean colour may be another, of 255. Plain areas have one hash whatever their colour: where a
 * blue button was, a white page must not pass.
 */
const MAX_TONE = 16

/** Pictures that are not the recorded files, and passed for them. */
export interface PassedPictures {
  /** Those that look the same. */
  alike: number
  /** In how many of 64 bits the least alike of them differs. */
  farthest: number
  /** Those that nobody looked at. */
  ignored: number
}

/** Compares the pictures of requests that are the same beside them, by what they look like. */
export class PictureComparer<Request extends PicturedRequest> {
  readonly #options: ImageOptions
  readonly #read: ReadRequest<Request>
  readonly #seen: Map<string, Sight | Blind> = new Map()
  /** What has to be looked at before the last question can be answered. */
  readonly #wanted: Map<string, () => Promise<Sight | Blind>> = new Map()
  readonly #points: WeakMap<Exchange, ReadonlyMap<string, readonly Point[]>> = new WeakMap()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: ImageOptions, read: ReadRequest<Request>) {
    this.#options = options
    this.#read = read
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
   * In how many bits the pair differs that is least alike; `undefined` where one pair is two pictures, or
   * was not looked at yet.
   */
  distance(known: Known<Request>, asked: Request): number | undefined {
    const compared = this.compare(known, asked)
    if (!compared?.every((pair) => this.isAlike(pair))) return undefined
    return Math.max(0, ...compared.map(({ bits }) => bits?.distance ?? 0))
  }

  /** Whether two pictures look the same, as far as they were looked at. */
  isAlike({ bits, fault }: Comparison): boolean {
    if (this.#isBlind) return true
    return fault === undefined && bits !== undefined && bits.distance <= this.#threshold
  }

  /** Compares each picture with the one in its place where they are not the same file. */
  compare(known: Known<Request>, asked: Request): Comparison[] | undefined {
    const pairs = pairPictures(known, asked)
    if (this.#isBlind) return pairs
    return pairs?.flatMap((pair) => {
      const points = this.#pointsOf(known.exchange, known.incoming!).get(pair.recorded.hash) ?? []
      const { region: side } = this.#options
      if (side === undefined || points.length === 0) return this.#compareSights(pair)
      return points.map((centre) => this.#compareSights({ ...pair, square: { centre, side } }))
    })
  }

  /** What passed in requests that were answered, each pair of pictures once. */
  passed(answered: ReadonlyArray<[known: Known<Request>, asked: Request]>): PassedPictures {
    const all = answered.flatMap(([known, asked]) => this.compare(known, asked) ?? [])
    const pairs = new Set(all.map(({ recorded, asked }) => `${recorded.hash} ${asked.hash}`)).size
    const farthest = Math.max(0, ...all.map(({ bits }) => bits?.distance ?? 0))
    return this.#isBlind
      ? { alike: 0, farthest, ignored: pairs }
      : { alike: pairs, farthest, ignored: 0 }
  }

  /**
   * Does `then` when everything was looked at that `ask` asks for. One request after the other, so that
   * which exchange answers does not hang on how fast a picture was read.
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

  #compareSights(pair: Comparison): Comparison {
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

  #pointsOf(exchange: Exchange, request: Request): ReadonlyMap<string, readonly Point[]> {
    let points = this.#points.get(exchange)
    if (!points) {
      const { prompt, dialect } = this.#read(request)
      const calls = isRecorded(exchange)
        ? dialect.readCompletion(exchange.wire.response).toolCalls
        : (exchange.response.tool_calls ?? []).map((call) => ({
            name: call.tool_name,
            arguments: call.parameters,
          }))
      this.#points.set(exchange, (points = pointsByPicture(prompt, calls)))
    }
    return points
  }
}

/**
 * The pictures of two requests that stand in the same place and are not the same file; `undefined` where
 * there are more in one of them.
 */
export function pairPictures(
  { incoming }: Known<PicturedRequest>,
  asked: PicturedRequest,
): Comparison[] | undefined {
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
