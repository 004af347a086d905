import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import type { Message, Part, Tool } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { completionOf, readContent } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import {
  arrayOf,
  counted,
  defined,
  jsonObject,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
  stringsIn,
} from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { embeddingsDialect, readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { hasRole, readMessage, unknownTool } from '../kit/messages.ts'
import { type AnswerEvent, type JoinedAnswer, readAnswer } from '../kit/read-answer.ts'
import { Remainder } from '../kit/remainder.ts'
import { readUsage, type UsageFormat, writeUsage } from '../kit/usage.ts'
import { argumentsText, splitWords, withCallIds, writeAnswer } from '../kit/write-answer.ts'

/** Embeddings of Vercel's gateway, which gets the model in a header. */
const vercelEmbeddings: Dialect = embeddingsDialect({
  name: 'vercel-embeddings',

  claims: (request) =>
    isSentTo(request, '/ai/embedding-model') && arrayOf(bodyOf(request).values).length > 0,

  readPrompt(request) {
    const { model, ...prompt } = readInputPrompt(request, 'embeddings', 'values')
    const { 'ai-model-id': id = model } = request.headers ?? {}
    const sent: JsonObject = model === undefined || model === id ? {} : { model }
    const named = id === undefined ? {} : { model: id }
    return { ...prompt, ...named, parameters: { ...sent, ...prompt.parameters } }
  },

  vectors: ({ embeddings }) => arrayOf(embeddings),

  usage: ({ usage }) => counted({ inputTokens: numberOf(objectOf(usage).tokens) }),

  write: (embeddings, _, usage) =>
    jsonObject({
      embeddings,
      usage: usage?.inputTokens === undefined ? undefined : { tokens: usage.inputTokens },
    }),
})

/** The gateway of Vercel's AI SDK, which gets the model and the form of the answer in headers. */
const vercelGateway: Dialect = {
  name: 'vercel-gateway',
  renewed: {
    id: ['id', 'toolCallId', 'content.*.toolCallId', 'response.id'],
    figure: [
      'timestamp',
      'response.timestamp',
      'usage.inputTokens',
      'usage.totalTokens',
      'usage.cachedInputTokens',
    ],
  },
  tooLong: 'length',

  claims(request) {
    const [first] = arrayOf(bodyOf(request).prompt)
    return isSentTo(request, '/ai/language-model') && hasRole(first)
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const lists = listsIn(body, 'prompt', 'tools')
    const { model, ...envelope } = readEnvelope(request, 'chat', lists)
    const { 'ai-language-model-id': id = model, 'ai-language-model-streaming': streaming } =
      request.headers ?? {}
    const parameters: JsonObject = streaming === 'true' ? { stream: true } : {}
    if (model !== undefined && model !== id) parameters.model = model
    return {
      ...envelope,
      ...(id === undefined ? {} : { model: id }),
      parameters: { ...parameters, ...envelope.parameters },
      messages: arrayOf(body.prompt).map(readVercelMessage),
      tools: arrayOf(body.tools).map(readVercelTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: writeVercelAnswer,
}

function read(body: JsonObject): Completion {
  const parts = readContent(body.content, 'content', new Remainder(), readVercelPart)
  const reason = stringOf(objectOf(body.finishReason).unified) ?? body.finishReason
  return {
    ...completionOf(parts, reason),
    usage: readUsage(USAGE, body.usage),
  }
}

/** Older releases have a number where newer ones have an object with its parts. */
const USAGE: UsageFormat = {
  inputTokens: ['inputTokens.total', 'inputTokens'],
  outputTokens: ['outputTokens.total', 'outputTokens'],
  cacheReadInputTokens: ['inputTokens.cacheRead', 'cachedInputTokens'],
  cacheCreationInputTokens: 'inputTokens.cacheWrite',
  reasoningOutputTokens: ['outputTokens.reasoning', 'reasoningTokens'],
}

function join(events: AnswerEvent[]): JoinedAnswer {
  /** Texts and thoughts by their id, as received so far. */
  const open = new Map<string, JsonObject>()
  const content: JsonObject[] = []
  let ending: JsonObject = {}
  for (const { type, data } of events) {
    const [kind = '', step = ''] = /^(text|reasoning)-(\w+)$/.exec(type)?.slice(1) ?? []
    if (kind !== '') addPiece(open, content, kind, step, data)
    if (type === 'tool-call') content.push(data)
    if (type === 'finish') ending = { ...ending, ...data }
  }
  const { usage = {}, finishReason = null } = ending
  return {
    body: { content, usage, finishReason },
    whole: events.some(({ type }) => type === 'finish'),
  }
}

function addPiece(
  open: Map<string, JsonObject>,
  content: JsonObject[],
  kind: string,
  step: string,
  { id, delta }: JsonObject,
): void {
  const key = `${kind} ${stringOf(id) ?? ''}`
  const known = step === 'start' ? undefined : open.get(key)
  const part: JsonObject = known ?? { type: kind, text: '' }
  if (!known) content.push(part)
  open.set(key, part)
  part.text = `${part.text as string}${stringOf(delta) ?? ''}`
}

/** Reads a message as the AI SDK passes it to a model, and sends it to its gateway. */
function readVercelMessage(value: JsonValue): Message {
  return readMessage(value, readVercelPart)
}

/** Reads a part of a message or of an answer. */
function readVercelPart(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      if (typeof part.text !== 'string') return undefined
      rest.keep(path, part, ['type', 'text'])
      return { type: part.type, text: part.text }
    case 'file':
      return readFile(part, path, rest)
    case 'tool-call':
      return readCall(part, path, rest)
    case 'tool-result':
      return readCallResult(part, path, rest)
    default:
      return undefined
  }
}

/** Reads the definition of a tool: a function, or a tool of a provider. */
function readVercelTool(value: JsonValue): Tool {
  if (!isJsonObject(value)) return unknownTool(value)
  const rest = new Remainder()
  const schema = value.inputSchema === undefined ? [] : ['inputSchema']
  const ordinary = value.type === 'function' ? ['type'] : []
  rest.keep('', value, [...ordinary, ...schema, ...stringsIn(value, 'name', 'description')])
  return defined({
    name: stringOf(value.name) ?? '',
    description: stringOf(value.description),
    parameters: value.inputSchema,
    ...rest.extra,
  })
}

function readFile(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const nested = isJsonObject(part.data) ? part.data : undefined
  const [field = ''] = nested ? stringsIn(nested, 'data', 'url') : stringsIn(part, 'data')
  const content = stringOf((nested ?? part)[field])
  if (content === undefined) return undefined
  const isLink = field === 'url' || /^\w+:/.test(content)
  rest.keep(path, part, ['type', 'data', ...(isLink ? [] : stringsIn(part, 'mediaType'))])
  if (nested) rest.keep(`${path}.data`, nested, nested.type === field ? ['type', field] : [field])
  return isLink ? contentAt(content) : blobOf(content, stringOf(part.mediaType))
}

/** In an answer the input of a call is JSON text, in a prompt it is the value. */
function readCall(part: JsonObject, path: string, rest: Remainder): Part | undefined {
  const { toolName: name, input = null } = part
  if (typeof name !== 'string') return undefined
  rest.keep(path, part, ['type', 'toolName', 'input', ...stringsIn(part, 'toolCallId')])
  const text = stringOf(input)
  return defined({
    type: 'tool_call' as const,
    id: stringOf(part.toolCallId),
    name,
    arguments: text === undefined ? input : (tryParseJson(text) ?? text),
  })
}

function readCallResult(part: JsonObject, path: string, rest: Remainder): Part {
  rest.keep(path, part, ['type', 'output', ...stringsIn(part, 'toolCallId')])
  return defined({
    type: 'tool_call_response' as const,
    id: stringOf(part.toolCallId),
    result: readOutput(part.output ?? null),
  })
}

/** Unwraps a text or a value; an error or a content keeps its type. */
function readOutput(output: JsonValue): JsonValue {
  if (!isJsonObject(output) || Object.keys(output).length > 2) return output
  const { type, value } = output
  const isText = type === 'text' && typeof value === 'string'
  const isValue = type === 'json' && typeof value !== 'string' && value !== undefined
  return isText || isValue ? value! : output
}

/** Writes an answer of Vercel's gateway, streamed where a header asks for it. */
function writeVercelAnswer(said: Completion, request: WireRequest): WireResponse {
  const completion = withCallIds(said, request)
  const streams = request.headers?.['ai-language-model-streaming'] === 'true'
  const written = streams
    ? { events: partsOf(completion).map((data) => ({ data })) }
    : { whole: wholeOf(completion) }
  return writeAnswer(completion, written, (message) => ({ error: { message, type: 'error' } }))
}

function wholeOf(completion: Completion): JsonObject {
  const { reasoning, text, toolCalls } = completion
  const content: JsonObject[] = toolCalls.map(callOf)
  if (text) content.unshift({ type: 'text', text })
  if (reasoning) content.unshift({ type: 'reasoning', text: reasoning })
  return { content, ...ending(completion), warnings: [] }
}

function partsOf(completion: Completion): JsonObject[] {
  const { reasoning, text, toolCalls } = completion
  const end = ending(completion)
  return [
    { type: 'stream-start', warnings: [] },
    ...pieces('reasoning', reasoning),
    ...pieces('text', text),
    ...toolCalls.map(callOf),
    ...(Object.keys(end).length > 0 ? [{ type: 'finish', ...end }] : []),
  ]
}

function pieces(type: string, text: string | undefined): JsonObject[] {
  if (!text) return []
  const id = `${type}-0`
  return [
    { type: `${type}-start`, id },
    ...splitWords(text).map((delta) => ({ type: `${type}-delta`, id, delta })),
    { type: `${type}-end`, id },
  ]
}

function callOf({ id, name, arguments: input }: ToolCall): JsonObject {
  return jsonObject({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: argumentsText(input),
  })
}

function ending({ finishReasons, toolCalls, incomplete, usage }: Completion): JsonObject {
  const usual = toolCalls.length > 0 ? 'tool-calls' : 'stop'
  const reason = finishReasons[0] ?? (incomplete ? undefined : usual)
  return jsonObject({
    finishReason: reason === undefined ? undefined : { unified: reason, raw: reason },
    usage: usage && { inputTokens: {}, outputTokens: {}, ...writeUsage(USAGE, usage) },
  })
}

export const vercelDialects: readonly Dialect[] = [vercelGateway, vercelEmbeddings]
