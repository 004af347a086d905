import type { Exchange } from '../cassette/format/cassette.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'
import type { Suggestion } from './found.ts'
import type { Recording } from './recording.ts'

/** A request that was answered in this attempt, in the order asked. */
export type Asked = { order: number } & (
  | {
      replayed: Exchange
      incoming: Incoming
      response: WireResponse
      /** What differs although nobody declared it; only a run of `doctor` replays such an exchange. */
      undeclared?: Suggestion
      /** The prompt changed, and the answer was kept; only in mode `prompts`. */
      kept?: true
      /** The speaker of the test that said it; no cassette has it. */
      speaker?: string
      recording?: undefined
    }
  | {
      replayed?: undefined
      undeclared?: undefined
      kept?: undefined
      speaker?: undefined
      recording: Recording
    }
)
