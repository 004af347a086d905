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
