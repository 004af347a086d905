import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { describeFile, partsIn, reasoningIn, textIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, type Field, jsonObject, known, numberOf, objectOf, stringOf } from '../fields.ts'
import { CallFragments, Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { hasRole } from '../kit/messages.ts'
import { type AnswerFormat, errorMessage, readAnswer } from '../kit/read-answer.ts'
import { writeChatPrompt } from './openai-prompt-write.ts'
import { Remainder } from '../kit/remainder.ts'
import { takePrompt } from '../kit/taken.ts'
import { argumentsText, callId, splitWords, writeAnswer } from '../kit/write-answer.ts'
import {
  readOpenAiCall,
  readOpenAiMessage,
  readOpenAiPart,
  readOpenAiTool,
} from './openai-messages.ts'
import { CHAT_RESPONSE } from './openai-places.ts'
import { readUsage, writeUsage, type UsageFormat } from '../kit/usage.ts'

/** The reader of chat completions. */
export const openaiChatFormat: AnswerFormat = {
  read(body) {
    const choices = arrayOf(body.choices).map(objectOf)
    const [first] = choices
    const message = objectOf(first?.message ?? first?.delta)
    const parts = partsIn(message.content, readOpenAiPart)
    const calls = [...arrayOf(message.tool_calls), { function: message.function_call ?? null }]
    return {
      text: textIn(parts) || stringOf(message.refusal) || spokenIn(message.audio),
      reasoning: thoughtIn(message) ?? reasoningIn(parts),
      toolCalls: calls.flatMap((call) => readOpenAiCall(call, '', new Remainder()) ?? []),
      finishReasons: choices.flatMap((choice) => stringOf(choice.finish_reason) ?? []),
      usage: readOpenAiUsage(body.usage),
      error: first?.error ? errorMessage(first.error) : undefined,
    }
  },

  join(events) {
    const drafts = new Drafts<Draft>()
    let usage: JsonObject = {}
    for (const { data } of events) {
      usage = {
        ...usage,
        ...known(objectOf(objectOf(data.x_groq).usage)),
        ...known(objectOf(data.usage)),
      }
      for (const choice of arrayOf(data.choices).map(objectOf)) {
        const index = numberOf(choice.index) ?? 0
        addTo(drafts.at(index, newDraft), choice)
      }
    }
    const sorted = drafts.inOrder()
    const finished = sorted.length > 0 && sorted.every((draft) => draft.finishReason !== undefined)
    return {
      body: { choices: sorted.map(choiceOf), usage },
      whole: finished || events.some((event) => event.text === '[DONE]' || isCount(event.data)),
    }
  },
}

/** The paths of chat completions at Writer, Pollinations, and the agents of Mistral. */
const OWN_PATHS = ['/v1/chat', '/openai', '/agents/completions']

/** OpenAI's chat completions, which most other providers use too. */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  places: CHAT_RESPONSE,
  tooLong: 'length',
  choices: 'choices',

  claims(request) {
    const { model, agent_id: agent, messages } = bodyOf(request)
    if (!arrayOf(messages).some(hasRole)) return false
    // A model is no condition: Azure has it in the path, and servers of one model need none.
    if (isSentTo(request, '/chat/completions')) return true
    // Some providers have a path of their own, on which a request has to name a model or an agent.
    return typeof (model ?? agent) === 'string' && OWN_PATHS.some((path) => isSentTo(request, path))
  },

  readPrompt(request) {
    return takePrompt(request, 'chat', (body) => ({
      messages: body.list('messages').map(readOpenAiMessage),
      tools: body.list('tools').map(readOpenAiTool),
    }))
  },

  readCompletion: (response) => readAnswer(response, openaiChatFormat),

  writeCompletion: writeChatAnswer,
  writePrompt: writeChatPrompt,
}

/** The transcript of speech, or else its size. */
function spokenIn(audio: Field): string {
  const { transcript, data } = objectOf(audio)
  if (transcript || typeof data !== 'string') return stringOf(transcript) ?? ''
  return describeFile('audio', Buffer.byteLength(data, 'base64'))
}

/** The same thought can stand under several names; the first that has it is enough. */
function thoughtIn(message: JsonObject): string | undefined {
  const details = arrayOf(message.reasoning_details).map(objectOf)
  return (
    stringOf(message.reasoning_content) ||
    stringOf(message.reasoning) ||
    details.map(({ text, summary }) => stringOf(text) ?? stringOf(summary) ?? '').join('') ||
    undefined
  )
}

/** One choice of a streamed answer, as received so far. */
interface Draft {
  text: string
  reasoning: string
  refusal: string
  transcript: string
  calls: CallFragments
  finishReason?: string
  error?: JsonValue
}

/** Whether a chunk holds nothing but usage, which comes at the end of a stream. */
function isCount({ choices, usage }: JsonObject): boolean {
  return Array.isArray(choices) && choices.length === 0 && isJsonObject(usage)
}

function newDraft(): Draft {
  return { text: '', reasoning: '', refusal: '', transcript: '', calls: new CallFragments() }
}

function addTo(draft: Draft, choice: JsonObject): void {
  const delta = objectOf(choice.delta ?? choice.message)
  const parts = partsIn(delta.content, readOpenAiPart)
  draft.text += textIn(parts)
  draft.reasoning += thoughtIn(delta) ?? reasoningIn(parts) ?? ''
  draft.refusal += stringOf(delta.refusal) ?? ''
  draft.transcript += stringOf(objectOf(delta.audio).transcript) ?? ''
  draft.finishReason = stringOf(choice.finish_reason) ?? draft.finishReason
  if (choice.error) draft.error = choice.error
  for (const call of arrayOf(delta.tool_calls)) draft.calls.add(objectOf(call))
  if (isJsonObject(delta.function_call))
    draft.calls.add({ index: 0, function: delta.function_call })
}

function choiceOf(draft: Draft): JsonObject {
  const message = {
    content: draft.text,
    reasoning_content: draft.reasoning,
    refusal: draft.refusal,
    audio: { transcript: draft.transcript },
    tool_calls: draft.calls.joined(),
  }
  return { message, finish_reason: draft.finishReason ?? null, error: draft.error ?? null }
}

/** Writes a chat completion, at once or as a stream that ends with `[DONE]`. */
function writeChatAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { stream } = bodyOf(request)
  if (stream !== true) {
    const whole = wholeOf(completion, request)
    return writeAnswer(completion, { whole }, writeChatFailure)
  }
  const events = chatChunks(completion, request).map((data) => ({ data }))
  const end = completion.incomplete ? [] : [{ data: '[DONE]' }]
  return writeAnswer(completion, { events: [...events, ...end] }, writeChatFailure)
}

/** A chat completion in one piece. */
export function wholeOf(completion: Completion, request: WireRequest): JsonObject {
  const { reasoning, usage } = completion
  const calls = callsOf(completion, request)
  const message = jsonObject({
    role: 'assistant',
    content: contentOf(completion),
    reasoning_content: reasoning,
    refusal: null,
    tool_calls: calls.length > 0 ? calls : undefined,
  })
  const choices = reasonsOf(completion).map((finishReason, index) => ({
    index,
    message: index === 0 ? message : { role: 'assistant', content: '', refusal: null },
    logprobs: null,
    finish_reason: finishReason,
  }))
  return { ...headOf(request, 'chat.completion'), choices, ...chatUsage(usage) }
}

/** A chat completion in the chunks of a stream. */
export function chatChunks(completion: Completion, request: WireRequest): JsonObject[] {
  const head = headOf(request, 'chat.completion.chunk')
  const chunk = (delta: JsonObject, finishReason: string | null = null, index = 0): JsonObject => ({
    ...head,
    choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
  })
  const { text, reasoning, usage } = completion
  const ends = reasonsOf(completion).map((reason, index) => chunk({}, reason, index))
  const counts = chatUsage(usage)
  const asksForUsage = objectOf(bodyOf(request).stream_options).include_usage === true
  // A client that did not ask for usage may not expect a chunk without choices.
  const last = asksForUsage && usage ? [{ ...head, choices: [], ...counts }] : []
  if (!asksForUsage) Object.assign(ends.at(-1)!, counts)
  const content = contentOf(completion) === null ? null : ''
  return [
    chunk({ role: 'assistant', content, refusal: null }),
    ...splitWords(reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...splitWords(text).map((piece) => chunk({ content: piece })),
    // One whole call to a chunk, as the client of Mistral requires.
    ...callsOf(completion, request).map((call, index) =>
      chunk({ tool_calls: [{ index, ...call }] }),
    ),
    ...ends,
    ...last,
  ]
}

/** An error in the format of chat completions. */
export function writeChatFailure(message: string): JsonObject {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } }
}

/** Usage under the names of chat completions; empty without usage. */
export function chatUsage(usage: Usage | undefined): JsonObject {
  return usage ? { usage: writeUsage(USAGE, usage) } : {}
}

function headOf(request: WireRequest, object: string): JsonObject {
  const model = stringOf(bodyOf(request).model) ?? ''
  return { id: 'chatcmpl-written', object, created: 0, model }
}

function callsOf({ toolCalls }: Completion, request: WireRequest): JsonObject[] {
  return toolCalls.map((call, index) => ({
    id: callId(call, index, 'call_', request),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments) },
  }))
}

/** Calls without a text have no content, not an empty one. */
function contentOf({ text, toolCalls }: Completion): string | null {
  return text === '' && toolCalls.length > 0 ? null : text
}

/** Adds a finish reason where none is given, because clients refuse a complete answer without one. */
function reasonsOf({
  finishReasons,
  toolCalls,
  incomplete,
  error,
}: Completion): [string | null, ...string[]] {
  const [first, ...others] = finishReasons
  if (first !== undefined) return [first, ...others]
  if (incomplete || error !== undefined) return [null]
  return [toolCalls.length > 0 ? 'tool_calls' : 'stop']
}

/** The names of chat completions, of responses, and of similar formats. */
const USAGE: UsageFormat = {
  inputTokens: ['prompt_tokens', 'input_tokens'],
  outputTokens: ['completion_tokens', 'output_tokens'],
  cacheReadInputTokens: [
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'input_token_details.cached_tokens',
    'prompt_cache_hit_tokens',
    'cache_read_input_tokens',
    'cached_tokens',
    'num_cached_tokens',
  ],
  cacheCreationInputTokens: [
    'prompt_tokens_details.cache_write_tokens',
    'input_tokens_details.cache_write_tokens',
    'input_token_details.cache_write_tokens',
    'cache_creation_input_tokens',
  ],
  reasoningOutputTokens: [
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'output_token_details.reasoning_tokens',
    'reasoning_tokens',
  ],
  total: 'total_tokens',
}

/** Reads usage under the names of chat completions, of responses, and of similar formats. */
export function readOpenAiUsage(value: Field): Usage | undefined {
  return readUsage(USAGE, value)
}
