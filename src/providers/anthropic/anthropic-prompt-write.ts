import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { PlainPrompt } from '../dialect.ts'
import { jsonObject } from '../fields.ts'
import {
  NO_ARGUMENTS,
  plainMessages,
  systemTextOf,
  type PlainMessage,
} from '../kit/plain-messages.ts'

/** The limit for a prompt without one, as Anthropic requires it. Few answers are longer. */
const USUAL_LIMIT = 4_096

/** Writes a prompt as Anthropic's messages. */
export function writeAnthropicPrompt(prompt: PlainPrompt): JsonObject {
  const { model, parameters, schema } = prompt
  const { temperature, topP, maxTokens = USUAL_LIMIT, stop, choice } = parameters
  const messages = plainMessages(prompt)
  const tools = prompt.tools.map(({ name, description, parameters = NO_ARGUMENTS }) =>
    jsonObject({ name, description, input_schema: parameters }),
  )
  return jsonObject({
    model,
    max_tokens: maxTokens,
    system: systemTextOf(messages),
    messages: inTurns(messages.filter(({ role }) => role !== 'system')),
    ...(tools.length > 0 && {
      tools,
      tool_choice:
        typeof choice === 'object'
          ? { type: 'tool', name: choice.name }
          : choice && { type: choice },
    }),
    temperature,
    top_p: topP,
    stop_sequences: stop,
    output_config: schema && { format: { type: 'json_schema', schema } },
  })
}

/** Merges consecutive messages of one role: Anthropic expects the roles to alternate. */
function inTurns(messages: readonly PlainMessage[]): JsonObject[] {
  const turns: Array<{ role: string; content: JsonObject[] }> = []
  for (const { role, parts } of messages) {
    const content = parts.flatMap(blockOf)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) turns.push({ role, content })
  }
  return turns as unknown as JsonObject[]
}

function blockOf(part: PlainMessage['parts'][number]): JsonObject[] {
  switch (part.type) {
    case 'text':
      // A blank text is refused.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image': {
      const source = { type: 'base64', media_type: part.mimeType, data: part.base64 }
      return [{ type: 'image', source }]
    }
    case 'call': {
      const { id, name, arguments: given } = part
      return [
        { type: 'tool_use', id, name, input: isJsonObject(given) ? given : { arguments: given } },
      ]
    }
    case 'result':
      return [{ type: 'tool_result', tool_use_id: part.id, content: part.text }]
  }
}
