import type { JsonObject } from '../../json/json-value.ts'

/** One entry of the LLM context format: a JSON array of what was said, in order. */
export interface ContextEntry {
  /** Counts up by one from 0. */
  index: number
  /** The number of user entries up to this one. */
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
  /** What it was called with. */
  parameters?: JsonObject
  /** What the application sent back for it. */
  result?: string
}

/** The rules of the format, by the names under which an error gives them. */
export const CONTEXT_RULES = {
  fields: 'every entry is an object with index, turn, timestamp, role and content',
  index: 'indexes count up by one, from 0',
  turn: 'a turn begins with every user entry; entries before the first one have turn 0',
  role: 'a role is system, user or assistant',
  timestamp: 'timestamps are ISO 8601 with date, time and zone, and never run backwards',
  content:
    'content is a text, { userid, text } of a user, or { text, reasoning, toolCall, parameters, result } of an assistant',
  reasoning:
    'reasoning is given where there is any: a text that is not empty, of an assistant only',
} as const

export type ContextRule = keyof typeof CONTEXT_RULES
