import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { Completion, ToolCall } from '../prompt/completion.ts'
import type { Message, Part } from '../prompt/prompt.ts'
import { defined } from '../providers/fields.ts'
import { entryContent, readableTime } from './context.ts'
import type { ContextEntry } from './context-file.ts'

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

/** What is done with an entry of each kind. */
export interface EntryVisitor<Result> {
  said(entry: SaidEntry): Result
  assistant(entry: AssistantEntry): Result
  dropped(entry: DroppedEntry): Result
}

/** Visits an entry: whatever writes conversations does it by this. */
export function visitEntry<Result>(entry: Entry, visitor: EntryVisitor<Result>): Result {
  if (entry.role === 'dropped') return visitor.dropped(entry)
  return entry.role === 'assistant' ? visitor.assistant(entry) : visitor.said(entry)
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

/** Turns the entries of a context into entries of a conversation, placed in the exchange that they belong to. */
export function entriesOfContext(context: readonly ContextEntry[], exchange: string): Entry[] {
  return context.map((written): Entry => {
    const { role, turn } = written
    const { text, userId, reasoning, call, result, extra } = entryContent(written)
    const time = readableTime(written.timestamp)
    const place = { turn, time, exchange, written, extra }
    if (role !== 'assistant')
      return defined({
        role,
        parts: [{ type: 'text', text }],
        userId: userId || undefined,
        ...place,
      })
    const calls = call ? [defined({ ...call, result })] : []
    return defined({ role, text, reasoning: reasoning || undefined, calls, ...place })
  })
}

/** A tool call, with the result that the application sent back in a later request. */
export interface PairedCall {
  id?: string
  name: string
  parameters: JsonValue
  result?: JsonValue
  /** The other fields of the result's message, such as that it is an error. */
  extra?: JsonObject
}

/** A call of a completion, or of a message, without a result yet. */
export function openCall({ id, name, arguments: parameters }: ToolCall): PairedCall {
  return defined({ id, name, parameters })
}

/** Gives each result of a message to the call that it answers; returns the parts that are left. */
export function pairResults({ parts, extra }: Message, calls: PairedCall[]): Part[] {
  let paired: PairedCall | undefined
  const left = parts.filter((part) => {
    if (part.type !== 'tool_call_response') return true
    const call = findCall(calls, part.id)
    if (!call) return true
    call.result = part.result
    paired = call
    return false
  })
  // A message with parts left keeps its `extra`.
  if (left.length === 0 && paired && extra) paired.extra = extra
  return left
}

/** The latest call with this id that has no result yet; without one, the first call with neither. */
export function findCall(calls: PairedCall[], id: string | undefined): PairedCall | undefined {
  const open = calls.filter((call) => call.result === undefined)
  if (id === undefined) return open.find((call) => call.id === undefined)
  return open.findLast((call) => call.id === id)
}
