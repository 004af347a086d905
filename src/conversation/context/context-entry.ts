import type { JsonObject, JsonValue } from '../../json/json-value.ts'

/** One entry of the LLM context format, a JSON array of messages in order. Unknown fields are kept. */
export interface ContextEntry {
  /** Counts up by one from 0. */
  index: number
  turn: number
  /** ISO 8601; never earlier than the timestamp of the entry before. */
  timestamp: string
  role: 'system' | 'user' | 'assistant'
  content: string | UserContent | AssistantContent
}

/** The text of a user, together with the id of the user. */
export interface UserContent {
  userid: string
  text: string
}

/** The answer of a model, if it is more than a text. */
export interface AssistantContent {
  text?: string
  reasoning?: string
  /** The name of the tool that was called. */
  toolCall?: string
  /** The parameters of the call; they may also stand beside `toolCall`. */
  parameters?: JsonObject
  /** The result that the application sent back. */
  result?: JsonValue
}

/** The rules of the format, by the names that errors use. */
export const CONTEXT_RULES = {
  fields: 'every entry is an object with index, turn, timestamp, role and content',
  index: 'indexes count up by one, from 0',
  turn: 'turns count up from 0: one begins with every user entry, or else with the first answer to one',
  role: 'a role is system, user or assistant',
  timestamp: 'timestamps are ISO 8601 with date, time and zone, and never run backwards',
  content:
    'content is a text, { userid, text } of a user, or { text, reasoning, toolCall, parameters, result } of an assistant',
  reasoning:
    'reasoning is given where there is any: a text that is not empty, of an assistant only',
} as const

export type ContextRule = keyof typeof CONTEXT_RULES
