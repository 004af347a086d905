import type { WireResponse } from '../wire/message.ts'
import type { Miss } from './miss.ts'
import type { Recording } from './recording.ts'

/** What a session says to a request. */
export type Answer =
  | { action: 'replay'; response: WireResponse; delayMs: number }
  | { action: 'record'; recording: Recording; done: (result: Promise<void>) => void }
  | { action: 'live' }
  | { action: 'refuse'; miss: Miss }
