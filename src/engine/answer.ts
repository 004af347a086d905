import type { WireResponse } from '../wire/message.ts'
import type { Miss } from './miss.ts'
import type { Recording } from './recording.ts'

/** An answer of the cassette, and how long a fault holds it back. */
export interface ReplayAnswer {
  action: 'replay'
  response: WireResponse
  delayMs: number
}

/** What a session says to a request. */
export type Answer =
  | ReplayAnswer
  | { action: 'record'; recording: Recording; done: (result: Promise<void>) => void }
  | { action: 'live' }
  | { action: 'refuse'; miss: Miss }

/** Where a request was made. */
export interface Origin {
  /** Its place among all that were created; arrival can differ. */
  readonly order: number
  /** An error created where the application made the request. */
  readonly callSite?: Error
}
