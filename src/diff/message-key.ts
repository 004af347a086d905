import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { Message, Part, Tool } from '../prompt/prompt.ts'
import { jsonKey, omitCallIds } from '../prompt/json-key.ts'

/** A key that two messages share exactly if they differ at most in the ids of tool calls. */
export function messageKey(message: Message): string {
  return [jsonKey([message.role, extraOf(message)]), ...message.parts.map(partKey)].join('\n')
}

/** Like {@link messageKey}, of one part of a message. */
export function partKey(part: Part): string {
  return jsonKey(comparablePart(part))
}

/** A key that two tools share exactly if they are the same. */
export function toolKey(tool: Tool): string {
  return jsonKey(tool as unknown as JsonObject)
}

/** The fields of a message that no part carries, without ids of tool calls. */
export function extraOf(message: Message): JsonValue {
  return omitCallIds(message.extra ?? {})
}

function comparablePart(part: Part): JsonValue {
  if (part.type === 'other') return { type: 'other', value: omitCallIds(part.value) }
  if (part.type === 'tool_call' || part.type === 'tool_call_response') {
    const { id: _, ...rest } = part
    return rest
  }
  return part as unknown as JsonObject
}
