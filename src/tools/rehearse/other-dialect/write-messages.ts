import { isAssistant, isSystem } from '../../../conversation/threads.ts'
import { isJsonObject, type JsonObject } from '../../../json/json-value.ts'
import type { Message, Prompt } from '../../../prompt/prompt.ts'
import { CarriedCallIds, carriedBy, plainNumber, resultText, joinTexts } from './carried.ts'
import { isPicture, type CarriedPictures } from './carried-pictures.ts'

/** The limit for a prompt without one, as Anthropic requires it. Few answers are longer. */
const USUAL_LIMIT = 4_096

/** Writes a prompt as Anthropic's messages. */
export function writeAnthropicMessages(
  prompt: Prompt,
  model: string,
  schema: JsonObject | undefined,
  pictures: CarriedPictures,
): JsonObject {
  const ids = new CarriedCallIds()
  const { temperature, topP, maxTokens, stop, choice } = carriedBy(prompt)
  const system = prompt.messages
    .filter(isSystem)
    .map(({ parts }) => joinTexts(parts))
    .join('\n\n')
  const tools = prompt.tools.map(({ name, description, parameters }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
  }))
  const toolChoice: JsonObject | undefined =
    typeof choice === 'object' ? { type: 'tool', name: choice.name } : choice && { type: choice }
  return {
    model,
    max_tokens: maxTokens === undefined ? USUAL_LIMIT : plainNumber(maxTokens),
    ...(system === '' ? {} : { system }),
    messages: merge(
      prompt.messages
        .filter((one) => !isSystem(one))
        .map((one) => writeMessage(one, ids, pictures)),
    ),
    ...(tools.length > 0 ? { tools } : {}),
    ...(toolChoice && tools.length > 0 ? { tool_choice: toolChoice } : {}),
    ...(temperature === undefined ? {} : { temperature: plainNumber(temperature) }),
    ...(topP === undefined ? {} : { top_p: plainNumber(topP) }),
    ...(stop === undefined ? {} : { stop_sequences: stop }),
    ...(schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
  }
}

interface Written {
  role: string
  content: JsonObject[]
}

function writeMessage(message: Message, ids: CarriedCallIds, pictures: CarriedPictures): Written {
  const content = message.parts.flatMap((part): JsonObject[] => {
    if (part.type === 'text')
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    if (isPicture(part)) {
      const source = {
        type: 'base64',
        media_type: part.mimeType,
        data: pictures.get(part.hash)!,
      }
      return [{ type: 'image', source }]
    }
    if (part.type === 'tool_call') {
      const input = isJsonObject(part.arguments) ? part.arguments : { arguments: part.arguments }
      return [{ type: 'tool_use', id: ids.ofCall(part.name, part.id), name: part.name, input }]
    }
    if (part.type !== 'tool_call_response') return []
    const result = resultText(part.result)
    return [{ type: 'tool_result', tool_use_id: ids.ofResult(part.id), content: result }]
  })
  const isAnswer = isAssistant(message) || content.some(({ type }) => type === 'tool_use')
  return { role: isAnswer ? 'assistant' : 'user', content }
}

/** Merges consecutive messages of the same role. */
function merge(messages: readonly Written[]): JsonObject[] {
  const merged: Written[] = []
  for (const { role, content } of messages) {
    if (content.length === 0) continue
    const last = merged.at(-1)
    if (last?.role === role) last.content.push(...content)
    else merged.push({ role, content: [...content] })
  }
  return merged as unknown as JsonObject[]
}
