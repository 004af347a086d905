import type { JsonObject } from '../json/json-value.ts'
import type { Completion } from '../prompt/completion.ts'
import type { Part } from '../prompt/prompt.ts'
import type { ContextEntry } from './context/context-entry.ts'
import type { PairedCall } from './paired-call.ts'

/** One message, or the mark of messages that the application dropped. */
export type Entry = SaidEntry | AssistantEntry | DroppedEntry

export interface EntryPlace {
  /** Counts user entries: 0 before the first one. */
  turn: number
  /** ISO 8601. */
  time: string
  /** The exchange in which it first appears. */
  exchange: string
  /** The unchanged entry of the context that it comes from. */
  written?: ContextEntry
}

export interface SaidEntry extends EntryPlace {
  role: 'system' | 'user' | 'tool'
  parts: Part[]
  /** The fields of the message beside its parts. */
  extra?: JsonObject
  /** The user that the request names. */
  userId?: string
}

export interface AssistantEntry extends EntryPlace {
  role: 'assistant'
  text: string
  reasoning?: string
  calls: PairedCall[]
  /** The MCP server that answered. If it is set, no model has said any of this. */
  server?: string
  /** Its other parts, such as pictures. */
  more?: Part[]
  /** The fields of the message beside its parts. */
  extra?: JsonObject
  /** The answer of the model; absent if the application wrote this into the history itself. */
  completion?: Completion
}

export interface DroppedEntry extends EntryPlace {
  role: 'dropped'
  messages: number
}

/** The calls of all assistants. */
export function callsIn(entries: readonly Entry[]): PairedCall[] {
  return entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []))
}

/** How many calls there are, and how many of them ended well or not. */
export function countCalls(entries: readonly Entry[]): {
  all: number
  completed: number
  failed: number
} {
  const calls = callsIn(entries)
  const answered = calls.filter(({ result }) => result !== undefined)
  const failed = answered.filter(({ extra }) => extra?.is_error === true).length
  return { all: calls.length, completed: answered.length - failed, failed }
}
