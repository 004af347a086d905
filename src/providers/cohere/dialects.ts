import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion, ToolCall, Usage } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import { partsIn, reasoningIn, reasonsOf, textIn } from '../content.ts'
import type { Dialect, ResponsePlace } from '../dialect.ts'
import { arrayOf, type Field, jsonObject, known, numberOf, objectOf, stringOf } from '../fields.ts'
import { contentAt } from '../kit/blob.ts'
import { CallFragments, Drafts } from '../kit/drafts.ts'
import { embeddingsDialect, readEmbeddedInput } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { hasRole, messageOf, unknownMessage } from '../kit/messages.ts'
import { type AnswerFormat, errorMessage, readAnswer } from '../kit/read-answer.ts'
import { Remainder } from '../kit/remainder.ts'
import { places, placesBelow } from '../kit/places.ts'
import { Taken, takePrompt } from '../kit/taken.ts'
import { readUsage, type UsageFormat, writeUsage } from '../kit/usage.ts'
import {
  argumentsText,
  eachSaid,
  splitWords,
  withCallIds,
  writeAnswer,
  type WriteFailure,
} from '../kit/write-answer.ts'
import { openaiChat } from '../openai/openai-chat.ts'
import { readOpenAiCall, readOpenAiPart } from '../openai/openai-messages.ts'

const COHERE_PLACES: readonly ResponsePlace[] = [
  ...places(
    'renewed',
    'id',
    'generation_id',
    'response_id',
    'message.tool_calls.*.id',
    'delta.message.tool_calls.id',
  ),
  ...placesBelow(
    ['meta', 'usage', 'delta.usage'],
    places('usage', 'billed_units.input_tokens', 'tokens.input_tokens', 'cached_tokens'),
  ),
]

/** Cohere's chat, in its second version; its messages are much like OpenAI's, its answers are not. */
const cohereChat: Dialect = {
  name: 'cohere-chat',
  places: COHERE_PLACES,
  tooLong: 'MAX_TOKENS',

  claims(request) {
    if (!isSentTo(request, '/v2/chat')) return false
    const { model, messages } = bodyOf(request)
    return typeof model === 'string' && hasRole(arrayOf(messages)[0])
  },

  readPrompt: openaiChat.readPrompt,

  readCompletion: (response) => readAnswer(response, FORMAT),

  writeCompletion(said, request) {
    const completion = withCallIds(said, request)
    const streams = bodyOf(request).stream === true
    const written = streams ? { events: eventsOf(completion) } : { whole: wholeOf(completion) }
    return writeAnswer(completion, written, writeFailure)
  },
}

const FORMAT: AnswerFormat = {
  read(body) {
    const message = objectOf(body.message)
    const parts = partsIn(message.content, readOpenAiPart)
    const calls = arrayOf(message.tool_calls)
    return {
      text: textIn(parts),
      reasoning:
        [reasoningIn(parts), stringOf(message.tool_plan)].filter(Boolean).join('\n\n') || undefined,
      toolCalls: calls.flatMap((call) => readOpenAiCall(call, '', new Remainder()) ?? []),
      finishReasons: reasonsOf(body.finish_reason),
      usage: readUsage(USAGE, body.usage),
      error: body.error ? errorMessage(body.error) : undefined,
    }
  },

  join(events) {
    const drafts = new Drafts<Draft>()
    const calls = new CallFragments()
    let plan = ''
    let ending: JsonObject = {}
    for (const { type, data } of events) {
      const index = numberOf(data.index) ?? 0
      const delta = objectOf(data.delta)
      const message = objectOf(delta.message)
      plan += textOf(message.tool_plan)
      if (/^content-(?:start|delta)$/.test(type)) addTo(drafts, index, objectOf(message.content))
      if (/^tool-call-(?:start|delta)$/.test(type))
        calls.add({ index, ...objectOf(message.tool_calls) })
      if (type === 'message-end') ending = { ...ending, ...known(delta) }
    }
    const content = drafts
      .inOrder()
      .map(({ type, text }) => ({ type, [type === 'thinking' ? type : 'text']: text }))
    return {
      body: { ...ending, message: { content, tool_plan: plan, tool_calls: calls.joined() } },
      whole: events.some(({ type }) => type === 'message-end'),
    }
  },
}

/** One block of a streamed answer, as received so far. */
interface Draft {
  type: string
  text: string
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

const writeFailure: WriteFailure = (message) => ({ message })

function wholeOf(completion: Completion): JsonObject {
  const { reasoning, text, toolCalls } = completion
  const content: JsonObject[] = []
  if (reasoning) content.push({ type: 'thinking', thinking: reasoning })
  if (text) content.push({ type: 'text', text })
  const tool_calls = toolCalls.length > 0 ? toolCalls.map(callOf) : undefined
  return {
    id: ID,
    message: jsonObject({ role: 'assistant', content, tool_calls }),
    ...ending(completion),
  }
}

function eventsOf(completion: Completion): StreamEvent[] {
  const start = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  let blocks = 0
  const said = eachSaid(completion, {
    reasoning: (text) => blockEvents('thinking', text, blocks++),
    text: (text) => blockEvents('text', text, blocks++),
    call: callEvents,
  })
  const end = ending(completion)
  return [
    event('message-start', { id: ID, delta: { message: start } }),
    ...said.flat(),
    ...(Object.keys(end).length > 0 ? [event('message-end', { delta: end })] : []),
  ]
}

function blockEvents(type: 'text' | 'thinking', text: string, index: number): StreamEvent[] {
  const delta = (content: JsonObject): JsonObject => ({ message: { content } })
  return [
    event('content-start', { index, delta: delta({ type, [type]: '' }) }),
    ...splitWords(text).map((piece) =>
      event('content-delta', { index, delta: delta({ [type]: piece }) }),
    ),
    event('content-end', { index }),
  ]
}

function callEvents(call: ToolCall, index: number): StreamEvent[] {
  const { function: called, ...opened } = callOf(call)
  const { name, arguments: input } = objectOf(called)
  const delta = (tool_calls: JsonObject): JsonObject => ({ message: { tool_calls } })
  const start = { ...opened, function: { name: name!, arguments: '' } }
  return [
    event('tool-call-start', { index, delta: delta(start) }),
    event('tool-call-delta', { index, delta: delta({ function: { arguments: input! } }) }),
    event('tool-call-end', { index }),
  ]
}

function callOf({ id, name, arguments: input }: ToolCall): JsonObject {
  return jsonObject({ id, type: 'function', function: { name, arguments: argumentsText(input) } })
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

function writeCohereUsage(usage: Usage): JsonObject {
  const written = writeUsage(USAGE, usage)
  return { billed_units: written.tokens ?? {}, ...written }
}

/** Cohere's embeddings, in their second version. */
const cohereEmbed: Dialect = embeddingsDialect({
  name: 'cohere-embed',
  places: places('renewed', 'id'),

  claims(request) {
    const { model, texts, images, inputs } = bodyOf(request)
    const asks = [texts, images, inputs].some((list) => arrayOf(list).length > 0)
    return isSentTo(request, '/v2/embed') && typeof model === 'string' && asks
  },

  readPrompt(request) {
    return takePrompt(request, 'embeddings', (body) => ({
      messages: [
        ...readEmbeddedInput(body.list('texts')),
        ...body.list('images').map(readCohereInput),
        ...body.list('inputs').map(readCohereInput),
      ],
    }))
  },

  vectors: ({ embeddings }) => arrayOf(Object.values(objectOf(embeddings))[0]),

  usage: ({ meta }) => readUsage(USAGE, meta),

  write(vectors, request, usage) {
    const types = arrayOf(bodyOf(request).embedding_types).filter(
      (type) => typeof type === 'string',
    )
    const embeddings = (types.length > 0 ? types : ['float']).map((type) => [type, vectors])
    return {
      id: ID,
      embeddings: Object.fromEntries(embeddings) as JsonObject,
      ...(usage ? { meta: writeCohereUsage(usage) } : {}),
    }
  },

  writeFailure,
})

function readCohereInput(value: JsonValue): Message {
  if (typeof value === 'string') return { role: 'user', parts: [contentAt(value)] }
  if (!isJsonObject(value)) return unknownMessage(value, 'user')
  const input = new Taken(value)
  return { role: 'user', parts: input.parts('content', readOpenAiPart), ...input.extra }
}

const RANKED = /^(\d+): (\S+)$/

/** Cohere's rerank, which other providers have copied. */
const cohereRerank: Dialect = {
  name: 'cohere-rerank',
  places: places('renewed', 'id'),

  claims(request) {
    const { model, query, documents } = bodyOf(request)
    if (!isSentTo(request, '/rerank') || typeof model !== 'string') return false
    return typeof query === 'string' && Array.isArray(documents)
  },

  readPrompt(request) {
    return takePrompt(request, 'rerank', (body) => {
      const query = body.text('query')
      const asked = query === undefined ? [] : [messageOf('user', query)]
      const documents = body.list('documents').map((one) => messageOf('document', one))
      return { messages: [...asked, ...documents] }
    })
  },

  readCompletion: (response) => readAnswer(response, { read: readRanking }),

  writeCompletion(completion) {
    const { text, usage } = completion
    const results = text.split('\n').flatMap((line): JsonObject[] => {
      const [, index, score] = RANKED.exec(line) ?? []
      return index ? [{ index: Number(index), relevance_score: Number(score) }] : []
    })
    const whole = { results, ...(usage ? { meta: writeCohereUsage(usage) } : {}) }
    return writeAnswer(completion, { whole }, writeFailure)
  },
}

function readRanking(body: JsonObject): Partial<Completion> {
  const ranked = arrayOf(body.results ?? body.data).map(objectOf)
  const lines = ranked.flatMap(({ index, relevance_score }) => {
    const [place, score] = [numberOf(index), numberOf(relevance_score)]
    return place === undefined || score === undefined ? [] : `${place}: ${score}`
  })
  return { text: lines.join('\n'), usage: readRankingUsage(body) }
}

/** Providers that copied Cohere count only a total, which is all input. */
function readRankingUsage({ meta, usage }: JsonObject): Usage | undefined {
  const inputTokens = numberOf(objectOf(usage).total_tokens)
  return inputTokens === undefined ? readUsage(USAGE, meta) : { inputTokens }
}

export const cohereDialects: readonly Dialect[] = [cohereChat, cohereEmbed, cohereRerank]
