import type { Pace } from '../config/options.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Miss } from './miss.ts'
import type { Recording } from './recording.ts'

/** An answer of the cassette, how long a fault holds it back, and whether none has spoiled it. */
export interface ReplayAnswer {
  action: 'replay'
  response: WireResponse
  delayMs: number
  isWhole: boolean
  /** How long its chunks take, where they are held back: all of them, or each. */
  pace?: { allMs: number } | { eachMs: number }
}

/** How an option holds back the chunks of an answer that took some time when it was recorded. */
export function paceOf(pace: Pace, recordedMs: number = 0): Pick<ReplayAnswer, 'pace'> {
  if (pace === 'instant') return {}
  return { pace: pace === 'recorded' ? { allMs: recordedMs } : { eachMs: pace } }
}

/** The request is sent to its provider, and the answer is recorded. */
export interface RecordAnswer {
  action: 'record'
  recording: Recording
  /** Takes a promise that settles when the answer is kept. */
  done: (kept: Promise<void>) => void
}

/** The answer of a session to a request. */
export type Answer =
  | ReplayAnswer
  | RecordAnswer
  | { action: 'live' }
  | { action: 'refuse'; miss: Miss }

/** When and where the application made a request. */
export interface Origin {
  /** The number of the request in order of creation; the order of arrival can differ. */
  readonly order: number
  /** An error created where the application made the request. */
  readonly callSite?: Error
}
