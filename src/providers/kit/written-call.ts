import { tryParseJson, type JsonValue } from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { textOf } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'

/** The id of a call. A call without one gets an id that is the same in every run. */
export function callId(
  call: ToolCall,
  index: number,
  prefix: string,
  request: WireRequest,
): string {
  if (call.id !== undefined) return call.id
  return prefix + sha256(`${index} ${textOf(request.body)}`).slice(0, 24)
}

/** The completion, each of its calls with an id. */
export function withCallIds(completion: Completion, request: WireRequest): Completion {
  const toolCalls = completion.toolCalls.map((call, index) => ({
    ...call,
    id: callId(call, index, 'call_', request),
  }))
  return { ...completion, toolCalls }
}

/** The arguments of a call as JSON text; a text that is not JSON is written as it is. */
export function argumentsText(value: JsonValue): string {
  const isBroken = typeof value === 'string' && tryParseJson(value) === undefined
  return isBroken ? value : JSON.stringify(value)
}
