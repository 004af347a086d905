import { isAssistant, isSystem } from '../../../conversation/threads.ts'
import type { JsonObject } from '../../../json/json-value.ts'
import type { Message, Prompt } from '../../../prompt/prompt.ts'
import {
  CarriedCallIds,
  carriedBy,
  plainNumber,
  resultText,
  joinTexts,
  type ToolChoice,
} from './carried.ts'
import { isPicture, type CarriedPictures } from './carried-pictures.ts'

/** Writes a prompt as OpenAI's chat completions, which most providers accept. */
export function writeChat(
  prompt: Prompt,
  model: string,
  schema: JsonObject | undefined,
  pictures: CarriedPictures,
): JsonObject {
  const ids = new CarriedCallIds()
  const { temperature, topP, maxTokens, stop, choice } = carriedBy(prompt)
  const tools = prompt.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
    },
  }))
  return {
    model,
    messages: prompt.messages.flatMap((message) => writeMessage(message, ids, pictures)),
    ...(tools.length > 0 ? { tools } : {}),
    ...(choice === undefined || tools.length === 0 ? {} : { tool_choice: writeChoice(choice) }),
    ...(temperature === undefined ? {} : { temperature: plainNumber(temperature) }),
    ...(topP === undefined ? {} : { top_p: plainNumber(topP) }),
    ...(maxTokens === undefined ? {} : { max_completion_tokens: plainNumber(maxTokens) }),
    ...(stop === undefined ? {} : { stop }),
    ...(schema
      ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }
      : {}),
  }
}

function writeMessage(
  message: Message,
  ids: CarriedCallIds,
  pictures: CarriedPictures,
): JsonObject[] {
  const { parts } = message
  const text = joinTexts(parts)
  if (isSystem(message)) return [{ role: 'system', content: text }]
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [
          {
            id: ids.ofCall(part.name, part.id),
            type: 'function',
            function: { name: part.name, arguments: JSON.stringify(part.arguments) },
          },
        ]
      : [],
  )
  const results = parts.flatMap((part) =>
    part.type === 'tool_call_response'
      ? [{ role: 'tool', tool_call_id: ids.ofResult(part.id), content: resultText(part.result) }]
      : [],
  )
  if (isAssistant(message) || calls.length > 0) {
    const content = text === '' && calls.length > 0 ? null : text
    return [{ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }]
  }
  // The text of a user message comes after the tool results in it.
  if (!parts.some(isPicture))
    return [...results, ...(text === '' ? [] : [{ role: 'user', content: text }])]
  const content = parts.flatMap((part): JsonObject[] => {
    if (part.type === 'text' && part.text !== '') return [{ type: 'text', text: part.text }]
    if (!isPicture(part)) return []
    const url = `data:${part.mimeType};base64,${pictures.get(part.hash)!}`
    return [{ type: 'image_url', image_url: { url } }]
  })
  return [...results, { role: 'user', content }]
}

function writeChoice(choice: ToolChoice): JsonObject | string {
  if (typeof choice === 'object') return { type: 'function', function: { name: choice.name } }
  return choice === 'any' ? 'required' : choice
}
