import type { Exchange, ResponseSummary } from '../cassette/cassette.ts'
import { hashOfText } from '../cassette/written.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { Completion, Usage } from '../prompt/completion.ts'
import type { Message, Part, Prompt } from '../prompt/prompt.ts'
import { entryContent, contextOf } from './context.ts'
import type { ContextEntry } from './read-context.ts'

/** The answer in the readable half of an exchange. Its calls have no ids. */
export function writtenCompletion(response: ResponseSummary): Completion {
  const { text, reasoning, tool_calls: calls = [], usage, error, incomplete } = response
  return {
    text,
    ...(reasoning === undefined ? {} : { reasoning }),
    toolCalls: calls.map(({ tool_name: name, parameters }) => ({ name, arguments: parameters })),
    finishReasons: response.finish_reasons ?? [],
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    ...(incomplete ? { incomplete } : {}),
    ...(error === undefined ? {} : { error }),
  }
}

/** The prompt of an exchange without a wire half, as far as a person wrote it. */
export function promptOf(exchange: Exchange, before: Exchange | undefined): Prompt {
  const { prompt } = exchange
  const context = contextOf(exchange)
  const { provider, operation, model, ...parameters } = prompt.metadata
  const { context: _, ...beside } = parameters
  return {
    provider: textOf(provider) ?? 'any',
    operation: textOf(operation) ?? 'chat',
    ...(typeof model === 'string' ? { model } : {}),
    parameters: context ? beside : parameters,
    messages: context
      ? context.before.map(messageOf)
      : sendsResults(prompt.text, before)
        ? []
        : [{ role: 'user', parts: [{ type: 'text', text: prompt.text }] }],
    tools: [],
  }
}

function messageOf(entry: ContextEntry): Message {
  const { text, userId, call } = entryContent(entry)
  const said: Part[] = text === '' ? [] : [{ type: 'text', text }]
  const { name, parameters } = call ?? {}
  const called: Part[] = name ? [{ type: 'tool_call', name, arguments: parameters! }] : []
  const extra = userId === undefined ? {} : { extra: { name: userId } }
  return { role: entry.role, parts: [...said, ...called], ...extra }
}

/** Whether a request only sends the results of calls: its text is still that of the exchange before. */
function sendsResults(text: string, before: Exchange | undefined): boolean {
  if (!before || before.wire || before.prompt.text !== text) return false
  return (before.response.tool_calls ?? []).length > 0
}

function usageOf(usage: NonNullable<ResponseSummary['usage']>): Usage {
  const entries = [
    ['inputTokens', usage.input_tokens],
    ['outputTokens', usage.output_tokens],
    ['cacheReadInputTokens', usage.cache_read_input_tokens],
    ['cacheCreationInputTokens', usage.cache_creation_input_tokens],
    ['reasoningOutputTokens', usage.reasoning_output_tokens],
  ] as const
  return Object.fromEntries(entries.filter(([, tokens]) => tokens !== undefined))
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Whether it is the placeholder for further parameters in the description of the history format. */
export function isOtherParams(name: string, value: JsonValue): boolean {
  return name === 'other_params' && value === 'as_needed'
}

/** The hash of the text of {@link questionOf}. */
export function hashOfQuestion(prompt: Prompt): string {
  return hashOfText(questionOf(prompt) ?? '')
}

/** The text of the last message of the user, or else of the instructions; `undefined` where there are none either. */
export function questionOf(prompt: Prompt): string | undefined {
  return lastQuestion(prompt)
    ?.parts.flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n')
}

/** The last message of the user, or else the last instructions. Some formats send results of calls as the user. */
export function lastQuestion({ messages }: Prompt): Message | undefined {
  const asks = (by: string[]): Message | undefined =>
    messages.findLast(
      ({ role, parts }) =>
        by.includes(role) && parts.some(({ type }) => type !== 'tool_call_response'),
    )
  return asks(['user']) ?? asks(['system', 'developer'])
}
