import type { Exchange } from '../cassette/format/cassette.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'
import type { Suggestion } from './found.ts'
import type { Recording } from './recording.ts'

/** A request that was sent to the provider. */
export interface SentRequest {
  order: number
  replayed?: undefined
  undeclared?: undefined
  kept?: undefined
  speaker?: undefined
  recording: Recording
}

/** A request of this attempt that was replayed or sent to the provider. `order` is its number in order of creation. */
export type AskedRequest =
  | SentRequest
  | {
      order: number
      replayed: Exchange
      incoming: Incoming
      response: WireResponse
      /** The undeclared volatile values that differ; only a run of `doctor` replays such an exchange. */
      undeclared?: Suggestion
      /** The prompt changed, and the answer was kept; only in mode `prompts`. */
      kept?: true
      /** The speaker of the test that gave the answer; no cassette contains it. */
      speaker?: string
      recording?: undefined
    }
