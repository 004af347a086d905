import type { JsonObject } from '../json/json-value.ts'

/** Fields that hold the id of a tool call in one of the wire formats. */
const CALL_ID_FIELDS = new Set([
  'tool_call_id',
  'call_id',
  'tool_use_id',
  'toolUseId',
  'toolCallId',
])

/** `type` of objects whose `id` names a tool call. */
const CALL_TYPES = new Set([
  'function',
  'function_call',
  'tool_use',
  'server_tool_use',
  'tool-call',
])

/** Gemini's fields whose objects may carry the `id` of a call. */
const CALL_FIELDS = new Set([
  'functionCall',
  'functionResponse',
  'function_call',
  'function_response',
])

/**
 * The ids of tool calls in one request, numbered by first appearance. Some SDKs invent them at
 * random, and all of them change when the first turn of a conversation is recorded again. Which call
 * a result belongs to is kept, because one id is one number.
 */
export class CallIds {
  readonly #numbers: Map<string, number> = new Map()

  numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1
    this.#numbers.set(id, number)
    return number
  }
}

/** True when `owner[key]` is the id of a tool call; `field` is the name under which `owner` stands. */
export function namesCall(key: string, owner: JsonObject, field: string): boolean {
  if (CALL_ID_FIELDS.has(key)) return true
  if (key !== 'id') return false
  return CALL_FIELDS.has(field) || (typeof owner.type === 'string' && CALL_TYPES.has(owner.type))
}
