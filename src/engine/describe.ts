import type {
  Exchange,
  PromptSummary,
  ResponseSummary,
  ToolCallSummary,
} from '../cassette/cassette.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { isRawNumber } from '../json/json-value.ts'
import type { Completion, Usage } from '../prompt/completion.ts'
import type { Message, Part, Prompt } from '../prompt/prompt.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'

/** A prompt and its answer, before they get their place in a conversation. */
export interface Turn {
  incoming: Incoming
  response: WireResponse
  durationMs?: number
}

/** Parameters longer than this say little in a line of metadata. */
const MAX_METADATA = 80

/** Writes the half of each exchange that is for people, from the whole conversation. */
export function describeTurns(turns: Turn[]): Exchange[] {
  const results = toolResults(turns.map(({ incoming }) => incoming.prompt))
  const seen: string[][] = []
  return turns.map(({ incoming, response, durationMs }, index) => {
    // Hints such as `cache_control` wander to the newest message and make no old one new.
    const keys = incoming.prompt.messages.map(({ role, parts }) => JSON.stringify([role, parts]))
    const known = Math.max(0, ...seen.map((earlier) => commonPrefix(earlier, keys)))
    seen.push(keys)
    return {
      id: `exchange-${index + 1}`,
      prompt: describePrompt(incoming, known),
      response: describeResponse(incoming.dialect.readCompletion(response), results, durationMs),
      wire: { request: incoming.wire, response },
    }
  })
}

/** `known` messages of the prompt stood in an earlier exchange already. */
function describePrompt({ prompt, hash }: Incoming, known: number): PromptSummary {
  const fresh = prompt.messages.slice(known).filter((message) => message.role !== 'assistant')
  const shown = fresh.length > 0 ? fresh : prompt.messages.slice(-1)
  const text =
    shown.length === 1 && shown[0]!.role === 'user'
      ? textOfParts(shown[0]!.parts)
      : shown.map((message) => `${message.role}: ${textOfParts(message.parts)}`).join('\n')
  return { text, hash, metadata: describeParameters(prompt) }
}

function describeParameters({ provider, operation, model, parameters }: Prompt): JsonObject {
  const metadata: JsonObject = { provider, operation, ...(model === undefined ? {} : { model }) }
  for (const [name, value] of Object.entries(parameters)) {
    const plain = typeof value !== 'object' || value === null || isRawNumber(value)
    if (!plain || name in metadata) continue
    if (JSON.stringify(value).length <= MAX_METADATA) metadata[name] = value
  }
  return metadata
}

function describeResponse(
  completion: Completion,
  results: Map<string, JsonValue>,
  durationMs: number | undefined,
): ResponseSummary {
  const { text, reasoning, toolCalls, finishReasons, usage, error, incomplete } = completion
  return {
    text,
    ...(reasoning ? { reasoning } : {}),
    ...(toolCalls.length > 0
      ? { tool_calls: toolCalls.map((call) => describeToolCall(call, results)) }
      : {}),
    ...(finishReasons.length > 0 ? { finish_reasons: finishReasons } : {}),
    ...(usage ? { usage: describeUsage(usage) } : {}),
    ...(error === undefined ? {} : { error }),
    ...(incomplete ? { incomplete } : {}),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
  }
}

function describeToolCall(
  { id, name, arguments: parameters }: Completion['toolCalls'][number],
  results: Map<string, JsonValue>,
): ToolCallSummary {
  const result = id === undefined ? undefined : results.get(id)
  return { tool_name: name, parameters, ...(result === undefined ? {} : { result }) }
}

function describeUsage(usage: Usage): ResponseSummary['usage'] {
  const entries = [
    ['input_tokens', usage.inputTokens],
    ['output_tokens', usage.outputTokens],
    ['cache_read_input_tokens', usage.cacheReadInputTokens],
    ['cache_creation_input_tokens', usage.cacheCreationInputTokens],
    ['reasoning_output_tokens', usage.reasoningOutputTokens],
  ] as const
  return Object.fromEntries(entries.filter(([, tokens]) => tokens !== undefined))
}

/** What the application sent back for each tool call, by the id of the call. */
function toolResults(prompts: Prompt[]): Map<string, JsonValue> {
  const results = new Map<string, JsonValue>()
  for (const { messages } of prompts) {
    for (const part of messages.flatMap((message: Message) => message.parts)) {
      if (part.type === 'tool_call_response' && part.id !== undefined)
        results.set(part.id, part.result)
    }
  }
  return results
}

function commonPrefix(one: string[], other: string[]): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function textOfParts(parts: Part[]): string {
  return parts.map(textOfPart).join('\n')
}

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool_call':
      return `${part.name}(${JSON.stringify(part.arguments)})`
    case 'tool_call_response':
      return typeof part.result === 'string' ? part.result : JSON.stringify(part.result)
    case 'blob':
      return `[${part.mimeType ?? 'file'}, ${part.size} bytes]`
    case 'uri':
      return `[${part.uri}]`
    case 'other':
      return JSON.stringify(part.value)
  }
}
