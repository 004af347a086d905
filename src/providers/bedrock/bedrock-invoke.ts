import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Message, Prompt } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type AnswerFormat } from '../kit/read-answer.ts'
import {
  anthropicFormat,
  anthropicMessages,
  messageEvents,
  wholeMessage,
} from '../anthropic/anthropic-messages.ts'
import {
  bedrockFormat,
  readBedrockEnvelope,
  readConversePrompt,
  bedrockModelOf,
  writeBedrockAnswer,
  converseEvents,
  wholeConverse,
} from './bedrock-converse.ts'
import { vendorFormat, vendorEvents, wholeOfVendor } from './bedrock-vendors.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf, isSentTo } from '../kit/envelope.ts'
import { arrayOf, isFilled, objectOf, type Field } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { openaiChat, openaiChatFormat } from '../openai/openai-chat.ts'
import { BEDROCK_PATHS } from './bedrock.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Frame } from '../../wire/amazon-frames.ts'
import { INVOKE_RESPONSE } from './bedrock-places.ts'

/** The fields that hold the prompt, by vendor. */
const SAID = [
  'prompt',
  'inputText',
  'inputImage',
  'message',
  'texts',
  'text',
  'input',
  'singleEmbeddingParams',
  'segmentedEmbeddingParams',
]

const ANTHROPIC_EVENT = /^(?:message|content_block)_\w+$/

/** Amazon Bedrock's invocation of a model in the format of the model's vendor. */
export const bedrockInvoke: Dialect = {
  name: 'bedrock-invoke',
  places: INVOKE_RESPONSE,

  claims(request) {
    if (request.method !== 'POST' || !BEDROCK_PATHS['bedrock-invoke'].test(pathOf(request))) {
      return false
    }
    const body = bodyOf(request)
    return arrayOf(body.messages).length > 0 || SAID.some((field) => isSaid(body[field]))
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const reader = readerOf(body)
    return reader ? nameModel(reader(request), request) : readOther(request, body)
  },

  readCompletion: (response) =>
    readAnswer(response, {
      read: (body) => formatOf(body).read(body),
      join(events) {
        const format = formatOfEvents(events)
        return format.join!(format === bedrockFormat ? events.flatMap(unwrapped) : events)
      },
    }),

  /** In the format of the model's vendor. */
  writeCompletion(completion, request) {
    const isStream = isSentTo(request, '/invoke-with-response-stream')
    const model = bedrockModelOf(request) ?? ''
    const { anthropic_version: version } = bodyOf(request)
    const [chunks, whole] =
      version !== undefined
        ? [messageEvents, wholeMessage]
        : /\bnova\b/.test(model)
          ? [wrappedEvents, wholeConverse]
          : [vendorEvents, wholeOfVendor]
    const written = isStream
      ? { frames: chunks(completion, request, model).map(frameOf) }
      : { whole: whole(completion, request, model) }
    return writeBedrockAnswer(completion, written)
  },
}

/** The model that the path names is the one that answers, whatever the body says. */
function nameModel(prompt: Prompt, request: WireRequest): Prompt {
  const { model = prompt.model } = readBedrockEnvelope(request, 'chat', [])
  if (model === prompt.model || model === undefined) return prompt
  const { parameters, model: said } = prompt
  return { ...prompt, model, parameters: said ? { model: said, ...parameters } : parameters }
}

/** The reader of the prompt; `undefined` for a format of the vendor's own. */
function readerOf(body: JsonObject): ((request: WireRequest) => Prompt) | undefined {
  const messages = arrayOf(body.messages).map(objectOf)
  if (messages.length === 0) return undefined
  if (body.anthropic_version !== undefined) return anthropicMessages.readPrompt
  const blocks = messages.flatMap(({ content }) => arrayOf(content))
  const typed = blocks.some((block) => objectOf(block).type !== undefined)
  return blocks.length > 0 && !typed ? readConversePrompt : openaiChat.readPrompt
}

function readOther(request: WireRequest, body: JsonObject): Prompt {
  const read = SAID.filter((field) => isSaid(body[field]))
  const isEmbedding = /embed/i.test(request.url)
  return {
    ...readBedrockEnvelope(request, isEmbedding ? 'embeddings' : 'text_completion', read),
    messages: read.flatMap((field) => readSaid(body[field])),
    tools: [],
  }
}

function isSaid(value: Field): boolean {
  return isFilled(value) || isJsonObject(value)
}

function readSaid(value: Field): Message[] {
  const items = Array.isArray(value) ? value : [value ?? null]
  return items.map((item) => messageOf('user', item))
}

function formatOf(body: JsonObject): AnswerFormat {
  if (isJsonObject(body.output)) return bedrockFormat
  if (hasMessage(body)) return openaiChatFormat
  return Array.isArray(body.content) ? anthropicFormat : vendorFormat
}

function formatOfEvents(events: AnswerEvent[]): AnswerFormat {
  if (events.some(({ type }) => ANTHROPIC_EVENT.test(type))) return anthropicFormat
  if (events.some(({ data }) => data.messageStart)) return bedrockFormat
  return events.some(({ data }) => hasMessage(data)) ? openaiChatFormat : vendorFormat
}

/** Whether an answer has choices of a chat, and not of a text. */
function hasMessage({ choices }: JsonObject): boolean {
  const [first] = arrayOf(choices)
  return Array.isArray(choices) && objectOf(first).text === undefined
}

/** Amazon's own models put the name of an event around it: `{ "messageStop": { … } }`. */
function unwrapped({ data, text }: AnswerEvent): AnswerEvent[] {
  return Object.entries(data).map(([type, inner]) => ({ type, data: objectOf(inner), text }))
}

function wrappedEvents(completion: Completion, request: WireRequest): JsonObject[] {
  return converseEvents(completion, request).map(([type, data]) => ({ [type]: data }))
}

function frameOf(chunk: JsonObject): Frame {
  return { event: 'chunk', chunk, data: {} }
}
