import type { WrittenExchange } from '../cassette/format/cassette.ts'
import type { Fault } from '../config/fault.ts'
import type { ImageOptions } from '../config/image-options.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import type { PictureComparer } from '../pictures/compare-pictures.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Asked } from './asked.ts'
import type { Bindings } from './bind.ts'
import type { Found, KeptPlace } from './found.ts'
import type { Incoming } from './incoming.ts'
import type { Recorded } from './recorded.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { Cassette } from '../cassette/format/cassette.ts'

/**
 * What few attempts need and takes long to load. The host of a session hands in how it is loaded.
 * `engine/rare/rare-cases.ts` has it.
 */
export interface RareCases {
  /** Whether an exchange that a person wrote is meant for a request. */
  isMeantFor(recorded: Recorded, incoming: Incoming): boolean
  /** Whether an answer to a request can be written at all. */
  canBeWritten(incoming: Incoming): boolean
  /** The answer that a person wrote, in the format of the request. */
  writtenAnswer(exchange: WrittenExchange, incoming: Incoming): WireResponse
  /** Says who has the word, in mode `new`. */
  speakerOf(course: Course, incoming: Incoming): 'cassette' | 'live'
  /** Finds the exchange whose answer is kept for a changed prompt, in mode `prompts`. */
  keepAnswer(course: Course, incoming: Incoming): KeptPlace
  /** Finds what would answer a request if its volatile values were declared, for `doctor`. */
  findUndeclared(
    unused: readonly Recorded[],
    bindings: Bindings,
    incoming: Incoming,
    rules: readonly VolatileRule[],
  ): Found | undefined
  /** Makes answers go wrong as a test declares. */
  openFaults(declared: readonly Fault[]): Faults
  /** Compares pictures by what they look like. */
  openPictures(options: ImageOptions): PictureComparer<Incoming>
}

/** An attempt, as far as it says where a prompt stands. */
export interface Course {
  config: ResolvedConfig
  bindings: Bindings
  cassette?: Cassette
  /** What was asked so far, in the order in which it came. */
  arrived: readonly Asked[]
  recorded: Recorded[]
  unused: Recorded[]
}

/** The faults that a test declared, and how often each has happened. */
export interface Faults {
  /** Those that never happened. */
  readonly missing: Fault[]
  /** True once an answer did not reach the application whole. */
  readonly haveSpoiled: boolean
  /** Spoils an answer that is about to be replayed. */
  spoil(exchange: string, incoming: Incoming, response: WireResponse): Spoiled
}

/** What became of an answer on its way. */
export interface Spoiled {
  response: WireResponse
  delayMs: number
  /** False where the application did not get the answer whole, so that it may ask for it again. */
  isWhole: boolean
}
