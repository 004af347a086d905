import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion, ToolCall, Usage } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readContent, reasoningIn, reasonsOf, textIn } from '../content.ts'
import type { Dialect, RenewedPlaces } from '../dialect.ts'
import {
  arrayOf,
  type Field,
  filledIn,
  jsonObject,
  known,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
} from '../fields.ts'
import { contentAt } from '../kit/blob.ts'
import { CallFragments, Drafts } from '../kit/drafts.ts'
import { embeddingsDialect, readEmbeddedInput } from '../kit/embeddings.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { hasRole, messageOf, unknownMessage } from '../kit/messages.ts'
import {
  type AnswerEvent,
  errorMessage,
  type JoinedAnswer,
  readAnswer,
} from '../kit/read-answer.ts'
import { Remainder } from '../kit/remainder.ts'
import { mergePlaces, placesBelow } from '../kit/renewed-places.ts'
import { readUsage, type UsageFormat, writeUsage } from '../kit/usage.ts'
import { argumentsText, splitWords, withCallIds, writeAnswer } from '../kit/write-answer.ts'
import { openaiChat } from '../openai/openai-chat.ts'
import { readOpenAiCall, readOpenAiPart } from '../openai/openai-messages.ts'

const COUNTED: RenewedPlaces = {
  usage: ['billed_units.input_tokens', 'tokens.input_tokens', 'cached_tokens'],
}

const COHERE_RENEWED: RenewedPlaces = mergePlaces(
  {
    id: [
      'id',
      'generation_id',
      'response_id',
      'message.tool_calls.*.id',
      'delta.message.tool_calls.id',
    ],
  },
  placesBelow('meta', COUNTED),
  placesBelow('usage', COUNTED),
  placesBelow('delta.usage', COUNTED),
)

/** Cohere's chat, in its second version; its messages are much like OpenAI's, its answers are not. */
const cohereChat: Dialect = {
  name: 'cohere-chat',
  renewed: COHERE_RENEWED,
  tooLong: 'MAX_TOKENS',

  claims(request) {
    if (!isSentTo(request, '/v2/chat')) return false
    const { model, messages } = bodyOf(request)
    return typeof model === 'string' && hasRole(arrayOf(messages)[0])
  },

  readPrompt: openaiChat.readPrompt,

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

function readCohereUsage(value: Field): Usage | undefined {
  return readUsage(USAGE, value)
}

function writeCohereUsage(usage: Usage): JsonObject {
  const written = writeUsage(USAGE, usage)
  return { billed_units: written.tokens ?? {}, ...written }
}

/** Cohere's embeddings, in their second version. */
const cohereEmbed: Dialect = embeddingsDialect({
  name: 'cohere-embed',
  renewed: { id: ['id'] },

  claims(request) {
    const body = bodyOf(request)
    const asks = cohereLists(body).length > 0
    return isSentTo(request, '/v2/embed') && typeof body.model === 'string' && asks
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const lists = cohereLists(body)
    return {
      ...readEnvelope(request, 'embeddings', lists),
      messages: lists.flatMap((list) =>
        list === 'texts' ? readEmbeddedInput(body.texts) : arrayOf(body[list]).map(readCohereInput),
      ),
      tools: [],
    }
  },

  vectors: ({ embeddings }) => arrayOf(Object.values(objectOf(embeddings))[0]),

  usage: ({ meta }) => readCohereUsage(meta),

  write(vectors, request, usage) {
    const types = arrayOf(bodyOf(request).embedding_types).filter(
      (type) => typeof type === 'string',
    )
    const embeddings = (types.length > 0 ? types : ['float']).map((type) => [type, vectors])
    return {
      id: '00000000-0000-0000-0000-000000000000',
      embeddings: Object.fromEntries(embeddings) as JsonObject,
      ...(usage ? { meta: writeCohereUsage(usage) } : {}),
    }
  },

  writeFailure: (message) => ({ message }),
})

function cohereLists(body: JsonObject): string[] {
  return listsIn(body, 'texts', 'images', 'inputs')
}

function readCohereInput(value: JsonValue): Message {
  if (typeof value === 'string') return { role: 'user', parts: [contentAt(value)] }
  if (!isJsonObject(value)) return unknownMessage(value, 'user')
  const rest = new Remainder()
  const parts = readContent(value.content, 'content', rest, readOpenAiPart)
  rest.keep('', value, filledIn(value, 'content'))
  return { role: 'user', parts, ...rest.extra }
}

const RANKED = /^(\d+): (\S+)$/

/** Cohere's rerank, which other providers have copied. */
const cohereRerank: Dialect = {
  name: 'cohere-rerank',
  renewed: { id: ['id'] },

  claims(request) {
    const { model, query, documents } = bodyOf(request)
    if (!isSentTo(request, '/rerank') || typeof model !== 'string') return false
    return typeof query === 'string' && Array.isArray(documents)
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { query, documents } = body
    const read = listsIn(body, 'documents')
    if (typeof query === 'string') read.push('query')
    return {
      ...readEnvelope(request, 'rerank', read),
      messages: [
        ...(typeof query === 'string' ? [messageOf('user', query)] : []),
        ...arrayOf(documents).map((document) => messageOf('document', document)),
      ],
      tools: [],
    }
  },

  readCompletion: (response) => readAnswer(response, { read: readRanking }),

  writeCompletion(completion) {
    const { text, usage } = completion
    const results = text.split('\n').flatMap((line): JsonObject[] => {
      const [, index, score] = RANKED.exec(line) ?? []
      return index ? [{ index: Number(index), relevance_score: Number(score) }] : []
    })
    const whole = { results, ...(usage ? { meta: writeCohereUsage(usage) } : {}) }
    return writeAnswer(completion, { whole }, (message) => ({ message }))
  },
}

function readRanking(body: JsonObject): Completion {
  const ranked = arrayOf(body.results ?? body.data).map(objectOf)
  const lines = ranked.flatMap(({ index, relevance_score }) => {
    const [place, score] = [numberOf(index), numberOf(relevance_score)]
    return place === undefined || score === undefined ? [] : `${place}: ${score}`
  })
  return { text: lines.join('\n'), toolCalls: [], finishReasons: [], usage: readRankingUsage(body) }
}

/** Providers that copied Cohere count only a total, which is all input. */
function readRankingUsage({ meta, usage }: JsonObject): Usage | undefined {
  const inputTokens = numberOf(objectOf(usage).total_tokens)
  return inputTokens === undefined ? readCohereUsage(meta) : { inputTokens }
}

export const cohereDialects: readonly Dialect[] = [cohereChat, cohereEmbed, cohereRerank]
