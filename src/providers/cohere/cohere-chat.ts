import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Completion, ToolCall, Usage } from '../../prompt/completion.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readContent, reasoningIn, reasonsOf, textIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import {
  arrayOf,
  type Field,
  jsonObject,
  known,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
} from '../fields.ts'
import { CallFragments, Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { hasRole } from '../kit/messages.ts'
import {
  type AnswerEvent,
  errorMessage,
  type JoinedAnswer,
  readAnswer,
} from '../kit/read-answer.ts'
import { Remainder } from '../kit/remainder.ts'
import { argumentsText, splitWords, withCallIds, writeAnswer } from '../kit/write-answer.ts'
import {
  readOpenAiCall,
  readOpenAiMessage,
  readOpenAiPart,
  readOpenAiTool,
} from '../openai/openai-messages.ts'
import { COHERE_RENEWED } from './cohere-renewed.ts'
import { readUsage, writeUsage, type UsageFormat } from '../kit/usage.ts'

/** Cohere's chat, in its second version; its messages are much like OpenAI's, its answers are not. */
export const cohereChat: Dialect = {
  name: 'cohere-chat',
  renewed: COHERE_RENEWED,
  tooLong: 'MAX_TOKENS',

  claims(request) {
    if (!isSentTo(request, '/v2/chat')) return false
    const { model, messages } = bodyOf(request)
    return typeof model === 'string' && hasRole(arrayOf(messages)[0])
  },

  readPrompt(request) {
    const body = bodyOf(request)
    return {
      ...readEnvelope(request, 'chat', listsIn(body, 'messages', 'tools')),
      messages: arrayOf(body.messages).map(readOpenAiMessage),
      tools: arrayOf(body.tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: writeCohereAnswer,
}

function read(body: JsonObject): Completion {
  const message = objectOf(body.message)
  const rest = new Remainder()
  const parts = readContent(message.content, 'content', rest, readOpenAiPart)
  const plan = stringOf(message.tool_plan)
  const thoughts = [reasoningIn(parts), plan].filter(Boolean)
  return {
    text: textIn(parts),
    reasoning: thoughts.length > 0 ? thoughts.join('\n\n') : undefined,
    toolCalls: arrayOf(message.tool_calls).flatMap((call) => readOpenAiCall(call, '', rest) ?? []),
    finishReasons: reasonsOf(body.finish_reason),
    usage: readCohereUsage(body.usage),
    error: body.error ? errorMessage(body.error) : undefined,
  }
}

/** One block of a streamed answer, as received so far. */
interface Draft {
  type: string
  text: string
}

function join(events: AnswerEvent[]): JoinedAnswer {
  const drafts = new Drafts<Draft>()
  const calls = new CallFragments()
  let plan = ''
  let ending: JsonObject = {}
  for (const { type, data } of events) {
    const index = numberOf(data.index) ?? 0
    const delta = objectOf(data.delta)
    const message = objectOf(delta.message)
    plan += stringOf(message.tool_plan) ?? ''
    if (type === 'content-start' || type === 'content-delta') {
      addTo(drafts, index, objectOf(message.content))
    }
    if (type === 'tool-call-start' || type === 'tool-call-delta') {
      calls.add({ index, ...objectOf(message.tool_calls) })
    }
    if (type === 'message-end') ending = { ...ending, ...known(delta) }
  }
  const content = drafts
    .inOrder()
    .map(({ type, text }) => ({ type, [type === 'thinking' ? type : 'text']: text }))
  return {
    body: { ...ending, message: { content, tool_plan: plan, tool_calls: calls.joined() } },
    whole: events.some(({ type }) => type === 'message-end'),
  }
}

function addTo(drafts: Drafts<Draft>, index: number, content: JsonObject): void {
  const thinks = content.type === 'thinking' || content.thinking !== undefined
  const draft = drafts.at(index, () => ({ type: thinks ? 'thinking' : 'text', text: '' }))
  draft.text += textOf(content.thinking) + textOf(content.text)
}

function textOf(value: Field): string {
  return stringOf(value) ?? ''
}

const ID = '00000000-0000-0000-0000-000000000000'

/** Writes an answer of Cohere's chat. */
function writeCohereAnswer(said: Completion, request: WireRequest): WireResponse {
  const completion = withCallIds(said, request)
  const streams = bodyOf(request).stream === true
  const written = streams ? { events: eventsOf(completion) } : { whole: wholeOf(completion) }
  return writeAnswer(completion, written, (message) => ({ message }))
}

function wholeOf(completion: Completion): JsonObject {
  const { reasoning, text, toolCalls } = completion
  const content: JsonObject[] = []
  if (reasoning) content.push({ type: 'thinking', thinking: reasoning })
  if (text) content.push({ type: 'text', text })
  const calls = toolCalls.map(callOf)
  const message = jsonObject({
    role: 'assistant',
    content,
    tool_calls: calls.length > 0 ? calls : undefined,
  })
  return { id: ID, message, ...ending(completion) }
}

function eventsOf(completion: Completion): StreamEvent[] {
  const { reasoning, text, toolCalls } = completion
  const start = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  const blocks = [
    ...(reasoning ? [blockOf('thinking', reasoning)] : []),
    ...(text ? [blockOf('text', text)] : []),
  ]
  const end = ending(completion)
  return [
    event('message-start', { id: ID, delta: { message: start } }),
    ...blocks.flatMap((block, index) => block(index)),
    ...toolCalls.flatMap(callEvents),
    ...(Object.keys(end).length > 0 ? [event('message-end', { delta: end })] : []),
  ]
}

function blockOf(type: 'text' | 'thinking', text: string): (index: number) => StreamEvent[] {
  return (index) => [
    event('content-start', { index, delta: { message: { content: { type, [type]: '' } } } }),
    ...splitWords(text).map((piece) =>
      event('content-delta', { index, delta: { message: { content: { [type]: piece } } } }),
    ),
    event('content-end', { index }),
  ]
}

function callEvents(call: ToolCall, index: number): StreamEvent[] {
  const whole = callOf(call)
  const { arguments: input, name } = whole.function
  const opened = { ...whole, function: { name, arguments: '' } }
  const added = { function: { arguments: input } }
  return [
    event('tool-call-start', { index, delta: { message: { tool_calls: opened } } }),
    event('tool-call-delta', { index, delta: { message: { tool_calls: added } } }),
    event('tool-call-end', { index }),
  ]
}

function callOf({ id, name, arguments: input }: ToolCall): JsonObject & {
  function: { name: string; arguments: string }
} {
  return {
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name, arguments: argumentsText(input) },
  }
}

function ending({ finishReasons, toolCalls, incomplete, usage }: Completion): JsonObject {
  const usual = toolCalls.length > 0 ? 'TOOL_CALL' : 'COMPLETE'
  return jsonObject({
    finish_reason: finishReasons[0] ?? (incomplete ? undefined : usual),
    usage: usage && writeCohereUsage(usage),
  })
}

function event(type: string, fields: Record<string, JsonValue>): StreamEvent {
  return { event: type, data: { type, ...fields } }
}

/** The tokens if Cohere names them, otherwise the billed ones. */
const USAGE: UsageFormat = {
  inputTokens: ['tokens.input_tokens', 'billed_units.input_tokens'],
  outputTokens: ['tokens.output_tokens', 'billed_units.output_tokens'],
  cacheReadInputTokens: 'cached_tokens',
}

export function readCohereUsage(value: Field): Usage | undefined {
  return readUsage(USAGE, value)
}

export function writeCohereUsage(usage: Usage): JsonObject {
  const written = writeUsage(USAGE, usage)
  return { billed_units: written.tokens ?? {}, ...written }
}
