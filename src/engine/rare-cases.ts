import type { Cassette, WrittenExchange } from '../cassette/cassette.ts'
import type { Fault } from '../config/fault.ts'
import type { ImageOptions } from '../config/options.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import type { Redacting } from '../secrets/redactions.ts'
import type { WireResponse } from '../wire/message.ts'
import type { AskedRequest } from './session-contract.ts'
import type { Bindings } from './bind.ts'
import type { Found, KeptPlace } from './match.ts'
import type { Incoming } from './incoming.ts'
import type { Recorded } from './recorded.ts'
import type { Recording } from './recording.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { FoundBase64 } from '../prompt/base64.ts'

/**
 * Features that few attempts use and that take long to load. The host of a session passes in their loader.
 * `features/all-rare-cases.ts` implements them.
 */
export interface RareCases {
  /** Whether an exchange that a person wrote is meant for a request. */
  isMeantFor(recorded: Recorded, incoming: Incoming): boolean
  /** Whether an answer to a request can be written at all. */
  canBeWritten(incoming: Incoming): boolean
  /** The answer that a person wrote, in the format of the request. */
  writtenAnswer(exchange: WrittenExchange, incoming: Incoming): WireResponse
  /** Decides whether the cassette or the provider answers, in mode `new`. */
  cassetteOrLive(course: Course, incoming: Incoming): 'cassette' | 'live'
  /** Finds the exchange whose answer is kept for a changed prompt, in mode `prompts`. */
  keepAnswer(course: Course, incoming: Incoming): KeptPlace
  /** Finds the exchange that would answer a request if its volatile values were declared, for `doctor`. */
  findUndeclared(
    unused: readonly Recorded[],
    bindings: Bindings,
    incoming: Incoming,
    rules: readonly VolatileRule[],
  ): Found | undefined
  /** The response with the values of this run in place of their placeholders. */
  showValues(of: Redacting, response: WireResponse): WireResponse
  /** Leaves the other samples of its test out of a session. */
  keepSample(session: Sampled): void
  /** Prepares the faults that a test declares for its answers. */
  openFaults(declared: readonly Fault[]): Faults
  /** Finds the failed recording that a request tries again. */
  findFailed(arrived: readonly AskedRequest[], incoming: Incoming): Recording | undefined
  /** The requests without the errors that a retry overcame, but for those that the option `recordErrors` keeps. */
  leaveOvercome(course: Pick<Course, 'arrived' | 'config'>): AskedRequest[]
  /** Compares pictures by what they look like. */
  openPictures(options: ImageOptions): PictureComparer
}

/** The part of a session that knows of samples. */
export interface Sampled {
  readonly sample: number
  cassette?: Cassette | undefined
  samples?: ReadonlySet<number>
}

/** The state of an attempt that tells the place of a prompt in its conversation. */
export interface Course {
  config: ResolvedConfig
  bindings: Bindings
  cassette?: Cassette
  /** The requests so far, in order of arrival. */
  arrived: readonly AskedRequest[]
  recorded: Recorded[]
  unused: Recorded[]
}

/** The faults that a test declared, and how often each has happened. */
export interface Faults {
  /** The faults that never happened. */
  readonly missing: Fault[]
  /** True once an answer did not reach the application whole. */
  readonly haveSpoiled: boolean
  /** Spoils an answer that is about to be replayed. */
  spoil(exchange: string, incoming: Incoming, response: WireResponse): Spoiled
}

/** An answer after its faults. */
export interface Spoiled {
  response: WireResponse
  delayMs: number
  /** False where the application did not get the answer whole, so that it may ask for it again. */
  isWhole: boolean
}

/** Compares the pictures of requests by their look. Apart from their pictures, the requests are the same. */
export interface PictureComparer {
  /** How far the pictures of a request are from the recorded ones; `undefined` where they do not pass for them. */
  distance(known: Recorded, asked: Incoming): number | undefined
  /** Whether two pictures pass for the same. */
  isAlike(comparison: PictureComparison): boolean
  /** Compares each picture with the one in the same place, unless they are the same file. */
  compare(known: Recorded, asked: Incoming): PictureComparison[] | undefined
  /** The pictures that passed in answered requests, counting each pair of pictures once. */
  passed(answered: ReadonlyArray<[known: Recorded, asked: Incoming]>): PassedPictures
  /** Runs `then` once all pictures were looked at that `ask` needs. Requests take turns. */
  inTurn<Result>(ask: () => unknown, then: () => Result): Promise<Result>
}

/** The comparison of two pictures that are not the same file. */
export interface PictureComparison {
  recorded: FoundBase64
  asked: FoundBase64
  /** The compared square; absent for the whole picture. */
  square?: Square
  /** The hashes, and the number of bits in which they differ. */
  bits?: { recorded: bigint; asked: bigint; distance: number }
  /** The reason why the pictures differ, whatever their hashes. */
  fault?: string
}

/** Numbers of pictures that are not the recorded files, and passed for them. */
export interface PassedPictures {
  /** The pictures that look the same. */
  alike: number
  /** The number of 64 bits in which the least similar of them differs. */
  farthest: number
  /** The pictures that were not compared. */
  ignored: number
}

/** A square of a picture around a point; the part beyond the edge of the picture is cut off. */
export interface Square {
  centre: Point
  /** In pixels. */
  side: number
}

/** A place in a picture, in pixels from its upper left corner. */
export interface Point {
  x: number
  y: number
  /** The size of the plane of its coordinates, if that is not the picture itself. */
  plane?: Plane
}

export interface Plane {
  width: number
  height: number
}
