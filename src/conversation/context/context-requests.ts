import { CassetteError } from '../../errors.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import { readText } from '../../wire/body.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import type { AssistantContent, ContextEntry, UserContent } from './context-entry.ts'

/** A request and its answer, made of an assistant entry and all that stands before it. */
export interface ContextRequest {
  request: WireRequest
  response: WireResponse
  /** Those of the entries that are new, and at last that of the answer. */
  timestamps: string[]
}

export interface ContextRequestOptions {
  /** @default 'gpt-5' */
  model?: string
  /** Where the requests go. @default 'https://api.openai.com/v1/chat/completions' */
  url?: string
  /** One for each assistant entry, in the place of what the entry itself says. */
  completions?: Completion[]
}

/**
 * The requests that an application would have made to come to this context, as chat completions: one
 * for each assistant entry.
 *
 * @throws CassetteError `invalid-context` when nobody answers the last entries.
 */
export function contextRequests(
  entries: readonly ContextEntry[],
  options: ContextRequestOptions = {},
): ContextRequest[] {
  const { model = 'gpt-5', url = 'https://api.openai.com/v1/chat/completions' } = options
  const requests: ContextRequest[] = []
  const messages: JsonValue[] = []
  let timestamps: string[] = []
  for (const { role, content, timestamp } of entries) {
    timestamps.push(timestamp)
    if (role !== 'assistant') {
      messages.push(messageOf(role, content as string | UserContent))
      continue
    }
    const id = `call_${timestamps.length}_${requests.length + 1}`
    const said = typeof content === 'string' ? { text: content } : (content as AssistantContent)
    const completion = options.completions?.[requests.length] ?? completionOf(said, id)
    // What an assistant says before it was asked anything is history that the application made up.
    const isAsked = messages.some((message) =>
      ['system', 'user'].includes(String((message as JsonObject).role)),
    )
    if (isAsked) {
      const body = readText(JSON.stringify({ model, messages }))
      const response = answerOf(completion, model, requests.length + 1)
      requests.push({ request: { method: 'POST', url, body }, response, timestamps })
      timestamps = []
    }
    messages.push(assistantMessage(completion, isAsked ? undefined : completion.reasoning))
    if (said.result !== undefined) {
      const called = completion.toolCalls[0]?.id ?? id
      messages.push({ role: 'tool', tool_call_id: called, content: said.result })
    }
  }
  if (timestamps.length > 0) {
    const first = entries.length - timestamps.length
    throw new CassetteError(
      'invalid-context',
      `Nothing answers entry ${first} and those after it: a cassette holds prompts with their answers. ` +
        'End the context with an assistant entry.',
    )
  }
  return requests
}

function messageOf(role: 'system' | 'user', content: string | UserContent): JsonObject {
  if (typeof content === 'string') return { role, content }
  return { role, name: content.userid, content: content.text }
}

function completionOf(
  { text = '', reasoning, toolCall, parameters }: AssistantContent,
  id: string,
): Completion {
  const toolCalls =
    toolCall === undefined ? [] : [{ id, name: toolCall, arguments: parameters ?? {} }]
  return {
    text,
    ...(reasoning === undefined ? {} : { reasoning }),
    toolCalls,
    finishReasons: [toolCalls.length > 0 ? 'tool_calls' : 'stop'],
  }
}

function assistantMessage({ text, toolCalls }: Completion, reasoning?: string): JsonObject {
  const calls = toolCalls.map(({ id = 'call_1', name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  }
}

function answerOf(completion: Completion, model: string, number: number): WireResponse {
  const { reasoning, finishReasons, usage } = completion
  const message = assistantMessage(completion, reasoning)
  const body = {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason: finishReasons[0] ?? 'stop' }],
    ...(usage === undefined
      ? {}
      : { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }),
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: readText(JSON.stringify(body)),
  }
}
