import type { PairedCall } from '../../conversation/entries.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part } from '../../prompt/prompt.ts'

/** An answer whose calls have the ids that a trace holds, where it holds them. */
export function withIds(completion: Completion, ids: JsonValue | undefined): Completion {
  if (!Array.isArray(ids)) return completion
  const toolCalls = completion.toolCalls.map((call, index) => {
    const id = ids[index]
    return typeof id === 'string' ? { ...call, id } : call
  })
  return { ...completion, toolCalls }
}

/** Calls that are referred to have no ids: their results are taken in order. */
export function withoutUnknownIds(message: Message, open: readonly PairedCall[]): Message {
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'tool_call_response' || open.some(({ id }) => id === part.id)) return part
    const { id: _, ...other } = part
    return other
  })
  return { ...message, parts }
}
