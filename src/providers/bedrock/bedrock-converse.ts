import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part, Prompt, Tool } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { completionOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import {
  arrayOf,
  defined,
  type Field,
  flatten,
  known,
  numberOf,
  objectOf,
  stringOf,
  jsonObject,
} from '../fields.ts'
import { blobOf } from '../kit/blob.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, type Envelope, pathOf, readEnvelope, isSentTo } from '../kit/envelope.ts'
import { hasRole, unknownMessage, unknownTool } from '../kit/messages.ts'
import { type AnswerFormat, errorMessage, readAnswer } from '../kit/read-answer.ts'
import { Remainder } from '../kit/remainder.ts'
import { BEDROCK_PATHS } from './bedrock.ts'
import {
  type WrittenBody,
  writeAnswer,
  callId,
  eachSaid,
  splitWords,
  argumentsText,
  reasonOr,
} from '../kit/write-answer.ts'
import { CONVERSE_RESPONSE } from './bedrock-places.ts'
import { readUsage, writeUsage, type UsageFormat } from '../kit/usage.ts'
import { Taken, takenCall, takenResult, takePart } from '../kit/taken.ts'

/** Amazon Bedrock's Converse, one format for the models of every vendor. */
export const bedrockConverse: Dialect = {
  name: 'bedrock-converse',
  places: CONVERSE_RESPONSE,
  tooLong: 'max_tokens',

  claims(request) {
    if (request.method !== 'POST' || !BEDROCK_PATHS['bedrock-converse'].test(pathOf(request))) {
      return false
    }
    const { messages, promptVariables } = bodyOf(request)
    // A stored prompt is asked with nothing but its variables.
    return arrayOf(messages).some(hasRole) || isJsonObject(promptVariables)
  },

  readPrompt: readConversePrompt,

  readCompletion: (response) => readAnswer(response, bedrockFormat),

  writeCompletion(completion, request) {
    const written = isSentTo(request, '/converse-stream')
      ? { frames: converseEvents(completion, request).map(([event, data]) => ({ event, data })) }
      : { whole: wholeConverse(completion, request) }
    return writeBedrockAnswer(completion, written)
  },
}

/** Reads a prompt in the format of Converse. */
export function readConversePrompt(request: WireRequest): Prompt {
  const body = bodyOf(request)
  const { tools, ...toolChoice } = objectOf(body.toolConfig)
  const read = ['messages', 'system'].filter((name) => arrayOf(body[name]).length > 0)
  const hasTools = arrayOf(tools).length > 0
  if (hasTools) read.push('toolConfig')
  const envelope = readBedrockEnvelope(request, 'chat', read)
  const chosen: JsonObject =
    hasTools && Object.keys(toolChoice).length > 0 ? { toolConfig: toolChoice } : {}
  const first = read.includes('system') ? [{ role: 'system', content: body.system! }] : []
  return {
    ...envelope,
    parameters: { ...envelope.parameters, ...chosen },
    messages: [...first, ...arrayOf(body.messages)].map(readMessage),
    tools: arrayOf(tools).map(readTool),
  }
}

function readMessage(value: JsonValue): Message {
  if (!isJsonObject(value)) return unknownMessage(value)
  const message = new Taken(value)
  const parts = readBedrockBlocks(message.list('content'), message.rest)
  return { role: message.text('role') ?? 'unknown', parts, ...message.extra }
}

/** A tool of the application, or one of Bedrock's own, which is named by its kind. */
function readTool(value: JsonValue): Tool {
  if (!isJsonObject(value)) return unknownTool(value)
  const [kind = ''] = Object.keys(value)
  const tool = new Taken(value)
  const spec = tool.inner('toolSpec')
  const name = spec.text('name')
  if (name === undefined)
    return { name: stringOf(objectOf(value[kind]).name) ?? kind, extra: value }
  const { json } = objectOf(objectOf(value.toolSpec).inputSchema)
  const parameters = json === undefined ? undefined : spec.inner('inputSchema').any('json')
  return defined({ name, description: spec.text('description'), parameters, ...tool.extra })
}

/** The names of blocks that hold a file. */
const FILES = ['image', 'document', 'video', 'audio']

/** Formats of documents whose media type is not under `application/`. */
const TEXTS = new Map([
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
])

/** Reads the blocks of a content; fields that are not read go to the rest. */
function readBedrockBlocks(content: Field, rest: Remainder): Part[] {
  return arrayOf(content).flatMap((block, index): Part[] => {
    const place = `content[${index}]`
    if (!isJsonObject(block)) return [{ type: 'other', value: block }]
    if (isCachePoint(block)) {
      // A cache hint moves to the newest message and means nothing to the model.
      rest.keep(place, block, [])
      return []
    }
    return [readBlock(block, place, rest) ?? { type: 'other', value: block }]
  })
}

function isCachePoint(block: JsonObject): boolean {
  return block.cachePoint !== undefined && Object.keys(block).length === 1
}

const readBlock = takePart((block, path, rest) => {
  const text = block.text('text')
  if (text !== undefined) return { type: 'text', text }
  const kind = Object.keys(READERS).find((name) => block.holds(name))
  return kind === undefined ? undefined : READERS[kind]!(block.inner(kind), `${path}.${kind}`, rest)
})

type Reader = (inner: Taken, path: string, rest: Remainder) => Part | undefined

/** By the field in which a block stands. */
const READERS: Record<string, Reader> = {
  toolUse: (call) => takenCall(call.text('toolUseId'), call.text('name'), call.any('input') ?? {}),

  toolResult(answer, path, rest) {
    const id = answer.text('toolUseId')
    const content = answer.any('content')
    const items = arrayOf(content).map((item, index) =>
      readResultItem(item, `${path}.content[${index}]`, rest),
    )
    const [only = null] = items
    const result = items.length === 1 ? only : Array.isArray(content) ? items : (content ?? null)
    return takenResult(id, result)
  },

  reasoningContent(content) {
    const text = content.inner('reasoningText').text('text')
    return text === undefined ? undefined : { type: 'reasoning', text }
  },

  citationsContent(cited) {
    const texts = arrayOf(cited.any('content')).map((item) => stringOf(objectOf(item).text))
    if (texts.length === 0 || texts.includes(undefined)) return undefined
    return { type: 'text', text: texts.join('') }
  },

  ...Object.fromEntries(FILES.map((kind) => [kind, (file: Taken) => readFile(file, kind)])),
}

/** A text or a value as itself, a file by its hash, anything else as it was sent. */
function readResultItem(item: JsonValue, path: string, rest: Remainder): JsonValue {
  if (!isJsonObject(item)) return item
  const keys = Object.keys(item).join()
  if (keys === 'text' && typeof item.text === 'string') return item.text
  if (keys === 'json' && typeof item.json === 'object' && item.json !== null) return item.json
  const part = readFileBlock(item, path, rest)
  return part?.type === 'blob' ? { ...part } : item
}

const readFileBlock = takePart((block) => {
  const kind = FILES.find((name) => block.holds(name))
  return kind === undefined ? undefined : readFile(block.inner(kind), kind)
})

/** A file that is sent inline, or one in a bucket. */
function readFile(file: Taken, kind: string): Part | undefined {
  const source = file.inner('source')
  const bytes = source.text('bytes')
  if (bytes !== undefined) {
    const format = file.text('format')
    return blobOf(bytes, format && typeOf(kind, format))
  }
  const uri = source.inner('s3Location').text('uri')
  return uri === undefined ? undefined : { type: 'uri', uri }
}

function typeOf(kind: string, format: string): string {
  if (kind !== 'document') return `${kind}/${format}`
  return TEXTS.get(format) ?? `application/${format}`
}

/** The answer format of Converse. Amazon's own models use it also when they are invoked. */
export const bedrockFormat: AnswerFormat = {
  read(body) {
    const message = objectOf(objectOf(body.output).message)
    const parts = readBedrockBlocks(message.content, new Remainder())
    return {
      ...completionOf(parts, body.stopReason),
      usage: readUsage(BEDROCK_USAGE, body.usage),
      error: body.output === undefined ? errorMessage(body.Message) : undefined,
    }
  },

  join(events) {
    const drafts = new Drafts<Draft>()
    let stopReason: JsonValue = null
    let usage: JsonObject = {}
    for (const { type, data } of events) {
      const index = numberOf(data.contentBlockIndex) ?? 0
      if (type === 'contentBlockStart') drafts.set(index, { start: objectOf(data.start) })
      if (type === 'contentBlockDelta') addTo(drafts, index, objectOf(data.delta))
      if (type === 'messageStop') stopReason = data.stopReason ?? null
      usage = { ...usage, ...known(objectOf(data.usage)) }
    }
    const content = drafts.inOrder().map(blockOf)
    return {
      body: { output: { message: { role: 'assistant', content } }, stopReason, usage },
      whole: events.some(({ type }) => type === 'messageStop'),
    }
  },
}

/** Bedrock counts cached tokens beside the input tokens, not among them. */
export const BEDROCK_USAGE: UsageFormat = {
  inputTokens: ['inputTokens', 'inputTokenCount'],
  outputTokens: ['outputTokens', 'outputTokenCount'],
  cacheReadInputTokens: ['cacheReadInputTokens', 'cacheReadInputTokenCount'],
  cacheCreationInputTokens: ['cacheWriteInputTokens', 'cacheWriteInputTokenCount'],
  cachedBeside: true,
  total: 'totalTokens',
}

/** One block of a streamed answer, as received so far. */
interface Draft {
  start: JsonObject
  text?: string
  reasoning?: string
  /** The JSON text of a tool's input. */
  input?: string
}

function addTo(drafts: Drafts<Draft>, index: number, delta: JsonObject): void {
  const draft = drafts.at(index, () => ({ start: {} }))
  const reasoning = stringOf(objectOf(delta.reasoningContent).text)
  const input = objectOf(delta.toolUse).input
  if (typeof delta.text === 'string') draft.text = (draft.text ?? '') + delta.text
  if (reasoning !== undefined) draft.reasoning = (draft.reasoning ?? '') + reasoning
  if (typeof input === 'string') draft.input = (draft.input ?? '') + input
  // Nova sends the input as a value when it is invoked without Converse.
  else if (isJsonObject(input)) draft.input = JSON.stringify(input)
}

function blockOf({ start, text, reasoning, input }: Draft): JsonObject {
  if (isJsonObject(start.toolUse)) {
    const value = input === undefined || input === '' ? {} : (tryParseJson(input) ?? input)
    return { toolUse: { ...start.toolUse, input: value } }
  }
  if (reasoning !== undefined) return { reasoningContent: { reasoningText: { text: reasoning } } }
  return text === undefined ? start : { text }
}

const MODEL = /\/model\/(.+)\/[\w-]+\/?$/

/** Reads provider, model and parameters of a prompt to Bedrock, whose model is in the path. */
export function readBedrockEnvelope(
  request: WireRequest,
  operation: string,
  read: readonly string[],
): Envelope {
  const { provider, parameters } = readEnvelope(request, operation, read)
  const model = bedrockModelOf(request)
  const { model: other } = bodyOf(request)
  return {
    provider,
    operation,
    ...(model === undefined ? {} : { model }),
    parameters: flatten(
      // A model in the body belongs to the vendor's own format.
      typeof other === 'string' ? { model: other, ...parameters } : parameters,
      'inferenceConfig',
    ),
  }
}

/** The model that the path names. */
export function bedrockModelOf(request: WireRequest): string | undefined {
  const [, model] = MODEL.exec(pathOf(request)) ?? []
  if (model === undefined) return undefined
  try {
    return decodeURIComponent(model)
  } catch {
    return model
  }
}

/** Clients read the kind of an error from a header. */
export function writeBedrockAnswer(completion: Completion, written: WrittenBody): WireResponse {
  const answer = writeAnswer(completion, written, (message) => ({ message }))
  if (answer.status < 400) return answer
  const headers = { ...answer.headers, 'x-amzn-errortype': 'ValidationException' }
  return { ...answer, headers }
}

/** An answer of Converse in one piece. */
export function wholeConverse(completion: Completion, request: WireRequest): JsonObject {
  const content = blocksOf(completion, request)
  return jsonObject({
    metrics: { latencyMs: 0 },
    output: { message: { role: 'assistant', content } },
    stopReason: reasonOf(completion),
    usage: completion.usage && writeUsage(BEDROCK_USAGE, completion.usage),
  })
}

type NamedEvent = [name: string, data: JsonObject]

/** An answer of Converse in the events of a stream, each by its name. */
export function converseEvents(completion: Completion, request: WireRequest): NamedEvent[] {
  const stopReason = reasonOf(completion)
  const usage = completion.usage && writeUsage(BEDROCK_USAGE, completion.usage)
  const events: NamedEvent[] = [
    ['messageStart', { role: 'assistant' }],
    ...blocksOf(completion, request).flatMap(blockEvents),
  ]
  if (stopReason !== undefined) events.push(['messageStop', { stopReason }])
  if (usage) events.push(['metadata', { metrics: { latencyMs: 0 }, usage }])
  return events
}

function blocksOf(completion: Completion, request: WireRequest): JsonObject[] {
  return eachSaid<JsonObject>(completion, {
    reasoning: (text) => ({ reasoningContent: { reasoningText: { text } } }),
    text: (text) => ({ text }),
    call(call, index) {
      const toolUseId = callId(call, index, 'tooluse_', request)
      return { toolUse: { toolUseId, name: call.name, input: call.arguments } }
    },
  })
}

function blockEvents({ text, toolUse, reasoningContent }: JsonObject, index: number): NamedEvent[] {
  const event = (name: string, fields: JsonObject = {}): NamedEvent => {
    return [`contentBlock${name}`, { contentBlockIndex: index, ...fields }]
  }
  const { input = {}, ...start } = objectOf(toolUse)
  const { text: thought } = objectOf(objectOf(reasoningContent).reasoningText)
  const deltas: JsonObject[] = toolUse
    ? [{ toolUse: { input: argumentsText(input) } }]
    : [
        ...splitWords(text).map((piece) => ({ text: piece })),
        ...splitWords(thought).map((piece) => ({ reasoningContent: { text: piece } })),
      ]
  return [
    ...(toolUse ? [event('Start', { start: { toolUse: start } })] : []),
    ...deltas.map((delta) => event('Delta', { delta })),
    event('Stop'),
  ]
}

function reasonOf(completion: Completion): string | undefined {
  return reasonOr(completion, completion.toolCalls.length > 0 ? 'tool_use' : 'end_turn')
}
