import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Tool } from '../../prompt/prompt.ts'
import type { PlainPrompt } from '../dialect.ts'
import { jsonObject } from '../fields.ts'
import {
  NO_ARGUMENTS,
  plainMessages,
  saidIn,
  systemTextOf,
  textsOf,
  type PlainMessage,
} from '../kit/plain-messages.ts'

/** Writes a prompt as chat completions, which most providers accept. */
export function writeChatPrompt(prompt: PlainPrompt): JsonObject {
  const { model, tools, parameters, schema } = prompt
  const { temperature, topP, maxTokens, stop, choice } = parameters
  const named = typeof choice === 'object' && { type: 'function', function: { name: choice.name } }
  return jsonObject({
    model,
    messages: plainMessages(prompt).flatMap(chatMessages),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function', function: declared(tool) })),
      tool_choice: named || (choice === 'any' ? 'required' : choice),
    }),
    temperature,
    top_p: topP,
    max_completion_tokens: maxTokens,
    stop,
    response_format: schema && { type: 'json_schema', json_schema: { name: 'answer', schema } },
  })
}

function chatMessages(message: PlainMessage): JsonObject[] {
  const { role, parts } = message
  const text = textsOf(message)
  if (role === 'system') return [{ role, content: text }]
  if (role === 'assistant') {
    const calls = parts.flatMap((part) =>
      part.type === 'call' ? { id: part.id, type: 'function', function: calledBy(part) } : [],
    )
    if (calls.length === 0) return [{ role, content: text }]
    return [{ role, content: text || null, tool_calls: calls }]
  }
  const results = parts.flatMap((part) =>
    part.type === 'result' ? { role: 'tool', tool_call_id: part.id, content: part.text } : [],
  )
  const said = saidIn(
    message,
    (text) => ({ type: 'text', text }),
    (url) => ({ type: 'image_url', image_url: { url } }),
  )
  // The text of a user message comes after the tool results in it.
  return [...results, ...(said === '' && results.length > 0 ? [] : [{ role, content: said }])]
}

/** Writes a prompt as OpenAI's responses. */
export function writeResponsesPrompt(prompt: PlainPrompt): JsonObject {
  const { model, tools, parameters, schema } = prompt
  const { temperature, topP, maxTokens, choice } = parameters
  const messages = plainMessages(prompt)
  const named = typeof choice === 'object' && { type: 'function', name: choice.name }
  return jsonObject({
    model,
    instructions: systemTextOf(messages),
    input: messages.filter(({ role }) => role !== 'system').flatMap(responseItems),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function', ...declared(tool) })),
      tool_choice: named || (choice === 'any' ? 'required' : choice),
    }),
    temperature,
    top_p: topP,
    max_output_tokens: maxTokens,
    text: schema && { format: { type: 'json_schema', name: 'answer', schema } },
  })
}

function responseItems(message: PlainMessage): JsonObject[] {
  const { role, parts } = message
  const items = parts.flatMap((part): JsonObject[] => {
    if (part.type === 'call')
      return [{ type: 'function_call', call_id: part.id, ...calledBy(part) }]
    if (part.type !== 'result') return []
    return [{ type: 'function_call_output', call_id: part.id, output: part.text }]
  })
  const said = saidIn(
    message,
    (text) => ({ type: 'input_text', text }),
    (url) => ({ type: 'input_image', image_url: url }),
  )
  const spoken = said === '' && items.length > 0 ? [] : [{ role, content: said }]
  return role === 'assistant' ? [...spoken, ...items] : [...items, ...spoken]
}

function calledBy(call: { name: string; arguments: JsonValue }): JsonObject {
  return { name: call.name, arguments: JSON.stringify(call.arguments) }
}

function declared({ name, description, parameters = NO_ARGUMENTS }: Tool): JsonObject {
  return jsonObject({ name, description, parameters })
}
