import type { JsonObject, JsonValue } from '../../json/json-value.ts'

/** One entry of the LLM context format: a JSON array of what was said, in order. Fields that are not known are kept. */
export interface ContextEntry {
  /** Counts up by one from 0. */
  index: number
  turn: number
  /** ISO 8601; never before that of the entry before. */
  timestamp: string
  role: 'system' | 'user' | 'assistant'
  content: string | UserContent | AssistantContent
}

/** What a user said, where it is known who. */
export interface UserContent {
  userid: string
  text: string
}

/** What a model said or called, where there is more to it than a text. */
export interface AssistantContent {
  text?: string
  reasoning?: string
  /** The name of the tool that was called. */
  toolCall?: string
  /** What it was called with; may also stand beside its name. */
  parameters?: JsonObject
  /** What the application sent back for it. */
  result?: JsonValue
}

/** The rules of the format, by the names under which an error gives them. */
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
