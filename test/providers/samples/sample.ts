import type { JsonObject } from '../../../src/json/json-value.ts'
import type { Completion } from '../../../src/prompt/completion.ts'

/** One conversation in one wire format: what is asked, and the same answer in both of its forms. */
export interface Sample {
  dialect: string
  /** @default 'POST' */
  method?: string
  url: string
  headers?: Record<string, string>
  body: JsonObject
  plain: JsonObject
  events?: string[]
  /** The request that differs in asking for the answer at once. */
  unstreamed?: { url?: string; headers?: Record<string, string>; body?: JsonObject }
  /** Whether the events are lines of JSON. */
  lines?: boolean
  /** Whether the events are frames, spelled byte by byte. */
  frames?: boolean
  /** Whether an answer without an event is whole, as on a socket. */
  silent?: boolean
  /** Fields whose absence means what the sample says in them. */
  optional?: string[]
  /** How many events at the end come after the answer is known to be whole. */
  afterEnd?: number
  completion: Completion
}

/** One transparent pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The arguments of a tool. */
export const WEATHER = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}

/** A sample that is shown as it was sent, whether it was streamed or not. */
export function asSent({ dialect, url, body, plain, completion }: Sample): Sample {
  const { stream: _, ...asked } = body
  const usage = plain.usage ? { usage: completion.usage } : {}
  const shown = { text: JSON.stringify(plain), toolCalls: [], finishReasons: [], ...usage }
  return { dialect, url, body: asked, plain, completion: shown }
}
