import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { completionOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import {
  arrayOf,
  counted,
  flatten,
  isFilled,
  jsonObject,
  numberOf,
  objectOf,
  stringOf,
} from '../fields.ts'
import { pictureOf } from '../kit/blob.ts'
import { embeddingsDialect, readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { partOf, takenMessage, unknownMessage } from '../kit/messages.ts'
import { places } from '../kit/places.ts'
import { type AnswerFormat, readAnswer } from '../kit/read-answer.ts'
import { Taken, takenResult, takePrompt } from '../kit/taken.ts'
import { readUsage, writeUsage } from '../kit/usage.ts'
import { isOpen, splitWords, writeAnswer } from '../kit/write-answer.ts'
import { readOpenAiCalls, readOpenAiTool } from '../openai/openai-messages.ts'
import { providerOf } from '../providers.ts'

/** Ollama's default port. */
const PORT = '11434'

/** Ollama's own chat and generate. */
const ollamaChat: Dialect = {
  name: 'ollama-chat',
  places: [
    ...places('renewed', 'message.tool_calls.*.id', 'message.tool_calls.*.function.id'),
    ...places(
      'ignored',
      'created_at',
      'total_duration',
      'load_duration',
      'prompt_eval_duration',
      'eval_duration',
    ),
    ['prompt_eval_count', 'usage'],
    ['message.tool_calls.*.function', 'one-value'],
  ],
  tooLong: 'length',

  claims(request) {
    const { model, messages, prompt, stream } = bodyOf(request)
    if (typeof model !== 'string') return false
    // Many web applications have a chat of their own on the same path.
    if (!isForOllama(request) && typeof stream !== 'boolean') return false
    if (isSentTo(request, '/api/generate')) return typeof prompt === 'string'
    return isSentTo(request, '/api/chat') && arrayOf(messages).length > 0 && isChat(messages!)
  },

  readPrompt(request) {
    const generates = isSentTo(request, '/api/generate')
    const prompt = takePrompt(request, generates ? 'text_completion' : 'chat', (body) => ({
      messages: generates ? readTexts(body) : body.list('messages').map(readOllamaMessage),
      tools: body.list('tools').map(readOpenAiTool),
    }))
    return { ...prompt, parameters: flatten(prompt.parameters, 'options') }
  },

  readCompletion: (response) => readAnswer(response, FORMAT),

  writeCompletion: writeOllamaAnswer,
}

/** Whether a request goes to a known address of Ollama, so that its body need not prove the format. */
function isForOllama(request: WireRequest): boolean {
  const url = URL.parse(request.url)
  return url !== null && (url.port === PORT || providerOf(url) === 'ollama')
}

/** Messages with `parts` belong to a user interface, and not to Ollama. */
function isChat(messages: JsonValue): boolean {
  return arrayOf(messages)
    .map(objectOf)
    .every(({ role, parts }) => typeof role === 'string' && parts === undefined)
}

const USAGE = { inputTokens: 'prompt_eval_count', outputTokens: 'eval_count' }

const FORMAT: AnswerFormat = {
  read: (body) => ({
    ...completionOf(readOllamaAnswer(body), body.done_reason),
    usage: readUsage(USAGE, body),
  }),

  join(events) {
    let content = ''
    let thinking = ''
    const calls: JsonValue[] = []
    for (const { data } of events) {
      const { message, response, thinking: thought } = data
      const said = objectOf(message)
      content += stringOf(said.content) ?? stringOf(response) ?? ''
      thinking +=
        stringOf(said.thinking) ?? stringOf(said.reasoning_content) ?? stringOf(thought) ?? ''
      for (const call of arrayOf(said.tool_calls)) calls.push(call)
    }
    const last = events.findLast(({ data }) => data.done === true)?.data
    const message = jsonObject({ content, thinking: thinking || undefined, tool_calls: calls })
    return { body: { ...last, message }, whole: last !== undefined }
  },
}

/** Reads the request of a generated text: its instructions, and what is asked with its images. */
function readTexts(body: Taken): Message[] {
  const system = takenMessage(body, 'system', 'system')
  const text = body.text('prompt')
  const parts: Part[] = text === undefined ? [] : [{ type: 'text', text }]
  parts.push(...readOllamaImages(body.list('images')))
  return parts.length > 0 ? [...system, { role: 'user', parts }] : system
}

/** Reads a message of Ollama's chat: its thought, its text, its images and its calls. */
function readOllamaMessage(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const message = new Taken(value)
  const role = message.text('role') ?? 'unknown'
  const thinking = message.text('thinking')
  const content = message.filled('content') ?? null
  const images = message.list('images')
  const calls = message.list('tool_calls')
  const { rest } = message
  message.keep('', rest)
  const parts: Part[] = [...readOllamaImages(images), ...readOpenAiCalls(calls, rest)]
  if (role === 'tool') parts.unshift(takenResult(undefined, content))
  else if (content !== null) parts.unshift(partOf(content))
  if (thinking !== undefined) parts.unshift({ type: 'reasoning', text: thinking })
  return { role, parts, ...rest.extra }
}

/** Reads the images that go with a text, each of them bare base64. */
function readOllamaImages(images: JsonValue[]): Part[] {
  return images.map((value) =>
    typeof value === 'string' ? pictureOf(value) : { type: 'other', value },
  )
}

/** Reads the message of an answer, also from the body of a generated text. */
function readOllamaAnswer(body: JsonObject): Part[] {
  const message = isJsonObject(body.message)
    ? body.message
    : { content: body.response ?? null, thinking: body.thinking ?? null }
  // Servers that imitate Ollama use OpenAI's name for a thought.
  const { thinking = message.reasoning_content ?? null } = message
  return readOllamaMessage({ ...message, thinking, role: 'assistant' }).parts
}

/** Writes an answer of Ollama's chat or generate, which stream unless they are told not to. */
function writeOllamaAnswer(completion: Completion, request: WireRequest): WireResponse {
  const { model = '', stream } = bodyOf(request)
  const { reasoning, text, toolCalls } = completion
  const generates = isSentTo(request, '/api/generate')
  const chunk = (said: JsonObject): JsonObject => ({
    model,
    created_at: '1970-01-01T00:00:00Z',
    ...(generates ? generated(said) : { message: { role: 'assistant', content: '', ...said } }),
    done: false,
  })
  const tool_calls = toolCalls.map(({ id, name, arguments: input }) =>
    jsonObject({ id, function: { name, arguments: input } }),
  )
  const calls: JsonObject = tool_calls.length > 0 ? { tool_calls } : {}
  if (stream === false) {
    const said = jsonObject({ content: text, thinking: reasoning, ...calls })
    return writeAnswer(
      completion,
      { whole: { ...chunk(said), ...ending(completion) } },
      writeFailure,
    )
  }
  const lines = [
    ...splitWords(reasoning).map((thinking) => chunk({ thinking })),
    ...splitWords(text).map((content) => chunk({ content })),
    ...(tool_calls.length > 0 ? [chunk(calls)] : []),
    ...(isOpen(completion) ? [] : [{ ...chunk({}), ...ending(completion) }]),
  ]
  return writeAnswer(completion, { lines }, writeFailure)
}

/** A generated text is no message: its fields stand in the body itself. */
function generated({ content = '', ...said }: JsonObject): JsonObject {
  return { response: content, ...said }
}

function ending({ finishReasons, usage, incomplete }: Completion): JsonObject {
  return jsonObject({
    done: true,
    done_reason: finishReasons[0] ?? (incomplete ? undefined : 'stop'),
    ...writeUsage(USAGE, usage),
  })
}

/** Ollama's client expects an error as a text, and not as an object. */
function writeFailure(message: string): JsonObject {
  return { error: message }
}

/** All fields that Ollama has for such a request. A web application's own request has other fields. */
const OLLAMA_FIELDS = new Set([
  'model',
  'input',
  'prompt',
  'truncate',
  'options',
  'keep_alive',
  'dimensions',
])

/** Ollama's embeddings: of several texts, or of one in the older API. */
const ollamaEmbed: Dialect = embeddingsDialect({
  name: 'ollama-embed',
  places: places('ignored', 'total_duration', 'load_duration'),

  claims(request) {
    const body = bodyOf(request)
    const { model, input, prompt } = body
    if (typeof model !== 'string') return false
    const isOllama = Object.keys(body).every((name) => OLLAMA_FIELDS.has(name))
    if (!isOllama && !isForOllama(request)) return false
    if (isSentTo(request, '/api/embeddings')) return typeof prompt === 'string'
    return isSentTo(request, '/api/embed') && isFilled(input)
  },

  readPrompt(request) {
    const field = isSentTo(request, '/api/embeddings') ? 'prompt' : 'input'
    const prompt = readInputPrompt(request, 'embeddings', field)
    return { ...prompt, parameters: flatten(prompt.parameters, 'options') }
  },

  vectors: ({ embeddings, embedding }) =>
    embedding === undefined ? arrayOf(embeddings) : [embedding],

  usage: ({ prompt_eval_count }) => counted({ inputTokens: numberOf(prompt_eval_count) }),

  write(embeddings, request, usage) {
    if (isSentTo(request, '/api/embeddings')) return { embedding: embeddings[0] ?? [] }
    const { model } = bodyOf(request)
    return jsonObject({ model, embeddings, prompt_eval_count: usage?.inputTokens })
  },

  writeFailure: (error) => ({ error }),
})

export const ollamaDialects: readonly Dialect[] = [ollamaChat, ollamaEmbed]
