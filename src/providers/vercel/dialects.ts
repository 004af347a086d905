import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { Completion, ToolCall } from '../../prompt/completion.ts'
import type { Part, Prompt, Tool } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { completionOf, type PartReader, partsIn } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, counted, jsonObject, numberOf, objectOf, stringOf } from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { embeddingsDialect, readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { hasRole, readMessage, unknownTool } from '../kit/messages.ts'
import { type AnswerFormat, readAnswer } from '../kit/read-answer.ts'
import { readUsage, type UsageFormat, writeUsage } from '../kit/usage.ts'
import { argumentsText, splitWords, withCallIds, writeAnswer } from '../kit/write-answer.ts'
import { places } from '../kit/places.ts'
import {
  Taken,
  takenCall,
  takenResult,
  takePart,
  takePrompt,
  takeText,
  takeTool,
} from '../kit/taken.ts'

/** Embeddings of Vercel's gateway, which gets the model in a header. */
const vercelEmbeddings: Dialect = embeddingsDialect({
  name: 'vercel-embeddings',

  claims: (request) =>
    isSentTo(request, '/ai/embedding-model') && arrayOf(bodyOf(request).values).length > 0,

  readPrompt(request) {
    const prompt = readInputPrompt(request, 'embeddings', 'values')
    return withModel(prompt, request.headers?.['ai-model-id'])
  },

  vectors: ({ embeddings }) => arrayOf(embeddings),

  usage: ({ usage }) => counted({ inputTokens: numberOf(objectOf(usage).tokens) }),

  write: (embeddings, _, usage) =>
    jsonObject({
      embeddings,
      usage: usage?.inputTokens === undefined ? undefined : { tokens: usage.inputTokens },
    }),
})

/** The prompt with the model that a header names; another one in its body is a parameter. */
function withModel(
  { model, ...prompt }: Prompt,
  id: string | undefined = model,
  first: JsonObject = {},
): Prompt {
  const sent: JsonObject = model === undefined || model === id ? {} : { model }
  const named = id === undefined ? {} : { model: id }
  return { ...prompt, ...named, parameters: { ...first, ...sent, ...prompt.parameters } }
}

/** The gateway of Vercel's AI SDK, which gets the model and the form of the answer in headers. */
const vercelGateway: Dialect = {
  name: 'vercel-gateway',
  places: [
    ...places('renewed', 'id', 'toolCallId', 'content.*.toolCallId', 'response.id'),
    ...places('ignored', 'timestamp', 'response.timestamp'),
    ...places('usage', 'usage.inputTokens', 'usage.totalTokens', 'usage.cachedInputTokens'),
  ],
  tooLong: 'length',

  claims(request) {
    const [first] = arrayOf(bodyOf(request).prompt)
    return isSentTo(request, '/ai/language-model') && hasRole(first)
  },

  readPrompt(request) {
    const prompt = takePrompt(request, 'chat', (body) => ({
      messages: body.list('prompt').map((value) => readMessage(value, readVercelPart)),
      tools: body.list('tools').map(readVercelTool),
    }))
    const { 'ai-language-model-id': id, 'ai-language-model-streaming': streams } =
      request.headers ?? {}
    return withModel(prompt, id, streams === 'true' ? { stream: true } : {})
  },

  readCompletion: (response) => readAnswer(response, FORMAT),

  writeCompletion: writeVercelAnswer,
}

/** Older releases have a number where newer ones have an object with its parts. */
const USAGE: UsageFormat = {
  inputTokens: ['inputTokens.total', 'inputTokens'],
  outputTokens: ['outputTokens.total', 'outputTokens'],
  cacheReadInputTokens: ['inputTokens.cacheRead', 'cachedInputTokens'],
  cacheCreationInputTokens: 'inputTokens.cacheWrite',
  reasoningOutputTokens: ['outputTokens.reasoning', 'reasoningTokens'],
}

const FORMAT: AnswerFormat = {
  read(body) {
    const parts = partsIn(body.content, readVercelPart)
    const reason = stringOf(objectOf(body.finishReason).unified) ?? body.finishReason
    return {
      ...completionOf(parts, reason),
      usage: readUsage(USAGE, body.usage),
    }
  },

  join(events) {
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
  },
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

/** Reads a part of a message or of an answer. In an answer the input of a call is JSON text, in a prompt the value. */
const readVercelPart: PartReader = takePart((part) => {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return takeText(part, part.type, 'text')
    case 'file':
      return readFile(part)
    case 'tool-call': {
      part.any('type')
      const input = part.any('input') ?? null
      const value = typeof input === 'string' ? (tryParseJson(input) ?? input) : input
      return takenCall(part.text('toolCallId'), part.text('toolName'), value)
    }
    case 'tool-result':
      part.any('type')
      return takenResult(part.text('toolCallId'), readOutput(part.any('output') ?? null))
    default:
      return undefined
  }
})

/** Reads the definition of a tool: a function, or a tool of a provider. */
function readVercelTool(value: JsonValue): Tool {
  if (!isJsonObject(value)) return unknownTool(value)
  const tool = new Taken(value)
  tool.is('type', 'function')
  return takeTool(tool, tool.text('name'), 'inputSchema')
}

function readFile(part: Taken): Part | undefined {
  const nested = part.holds('data') ? part.inner('data') : undefined
  const field = nested?.has('url') && !nested.has('data') ? 'url' : 'data'
  const content = (nested ?? part).text(field)
  if (content === undefined) return undefined
  part.any('type')
  nested?.is('type', field)
  if (field === 'url' || /^\w+:/.test(content)) return contentAt(content)
  return blobOf(content, part.text('mediaType'))
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
