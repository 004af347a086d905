import type { Cassette, WrittenExchange } from '../cassette/cassette.ts'
import type { Fault } from '../config/fault.ts'
import type { ImageOptions } from '../config/options.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import type { PictureComparer } from '../features/compare-pictures.ts'
import type { WireResponse } from '../wire/message.ts'
import type { AskedRequest } from './session-contract.ts'
import type { Bindings } from './bind.ts'
import type { Found, KeptPlace } from './find-recorded.ts'
import type { Incoming } from './incoming.ts'
import type { Recorded } from './recorded.ts'
import type { Recording } from './recording.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'

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
  /** Prepares the faults that a test declares for its answers. */
  openFaults(declared: readonly Fault[]): Faults
  /** Finds the failed recording that a request tries again. */
  findFailed(arrived: readonly AskedRequest[], incoming: Incoming): Recording | undefined
  /** The requests without the errors that a retry overcame, but for those that the option `recordErrors` keeps. */
  leaveOvercome(course: Pick<Course, 'arrived' | 'config'>): AskedRequest[]
  /** Compares pictures by what they look like. */
  openPictures(options: ImageOptions): PictureComparer<Incoming>
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
