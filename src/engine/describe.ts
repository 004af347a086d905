import type {
  Exchange,
  PromptSummary,
  ResponseSummary,
  ToolCallSummary,
} from '../cassette/cassette.ts'
import { linkThreads } from '../conversation/link-threads.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { isRawNumber } from '../json/json-value.ts'
import type { Completion, Usage } from '../prompt/completion.ts'
import type { Message, Part, Prompt } from '../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import type { Incoming } from './incoming.ts'

/** A prompt and its answer, before they get their place in a conversation. */
export interface Turn {
  incoming: Incoming
  response: WireResponse
  durationMs?: number
}

/** Parameters longer than this say little in a line of metadata. */
const MAX_METADATA = 80

/** Tool results longer than this are shortened in the text of a prompt; they stand next to their call. */
const MAX_RESULT = 200

/** Writes the half of each exchange that is for people, from the whole conversation. */
export function describeTurns(turns: Turn[]): Exchange[] {
  const results = toolResults(turns.map(({ incoming }) => incoming.prompt))
  const steps = turns.map(({ incoming: { dialect, prompt, wire: request }, response }, index) => ({
    index,
    prompt,
    completion: dialect.readCompletion(response),
    wire: { request, response },
  }))
  const fresh = new Map(
    linkThreads(steps).flatMap((thread) =>
      thread.steps.map((linked) => [linked.step.index, linked.fresh] as const),
    ),
  )
  return turns.map(({ incoming, response, durationMs }, index) => ({
    id: `exchange-${index + 1}`,
    prompt: describePrompt(incoming, fresh.get(index)!),
    response: describeResponse(steps[index]!.completion, results, durationMs),
    wire: { request: withPlace(incoming, turns.slice(0, index)), response },
  }))
}

/** What follows another request on a socket names its exchange. */
function withPlace({ wire, canonical: { after } }: Incoming, earlier: Turn[]): WireRequest {
  if (after === undefined) return wire
  const index = earlier.findLastIndex(({ incoming }) => incoming.hash === after)
  return { ...wire, after: `exchange-${index + 1}` }
}

/** `fresh` are the messages that stood in no earlier exchange of the conversation. */
function describePrompt({ prompt, hash }: Incoming, fresh: Message[]): PromptSummary {
  const asked = fresh.filter((message) => message.role !== 'assistant')
  const shown = asked.length > 0 ? asked : prompt.messages.slice(-1)
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
      return shorten(typeof part.result === 'string' ? part.result : JSON.stringify(part.result))
    case 'blob':
      return `[${part.mimeType ?? 'file'}, ${part.size} bytes]`
    case 'uri':
      return `[${part.uri}]`
    case 'other':
      return JSON.stringify(part.value)
  }
}

function shorten(text: string): string {
  if (text.length <= 2 * MAX_RESULT) return text
  const count = text.length.toLocaleString('en')
  return `${text.slice(0, MAX_RESULT)}… (${count} characters)`
}
