import type { JsonObject } from '../json/json-value.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Part } from '../prompt/prompt.ts'
import type { ContextEntry } from './context/context-entry.ts'
import type { PairedCall } from './paired-call.ts'

/** One thing that was said, or the mark of what the application dropped. */
export type Entry = SaidEntry | AssistantEntry | DroppedEntry

export interface EntryPlace {
  /** Counts user entries: 0 before the first one. */
  turn: number
  /** ISO 8601. */
  time: string
  /** The exchange in which it was first said. */
  exchange: string
  /** As it stands in the context that it comes from. */
  written?: ContextEntry
}

export interface SaidEntry extends EntryPlace {
  role: 'system' | 'user' | 'tool'
  parts: Part[]
  /** What the message has beside its parts. */
  extra?: JsonObject
  /** The user as the request names one. */
  userId?: string
}

export interface AssistantEntry extends EntryPlace {
  role: 'assistant'
  text: string
  reasoning?: string
  calls: PairedCall[]
  /** The MCP server that answered; then no model has said any of this. */
  server?: string
  /** Whatever else it consists of, such as pictures. */
  more?: Part[]
  /** What the message has beside its parts. */
  extra?: JsonObject
  /** What the model answered; absent where the application wrote this into the history itself. */
  completion?: Completion
}

export interface DroppedEntry extends EntryPlace {
  role: 'dropped'
  messages: number
}
