import {
  isJsonObject,
  tryParseJson,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { Message, Tool } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import {
  readAnswer,
  type AnswerEvent,
  type AnswerFormat,
  type JoinedAnswer,
} from '../kit/read-answer.ts'
import { readAnthropicPart } from './anthropic-parts.ts'
import { writeAnthropicPrompt } from './anthropic-prompt-write.ts'
import { writeAnthropicAnswer } from './anthropic-write.ts'
import { completionOf, readContent } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo, pathOf, readEnvelope } from '../kit/envelope.ts'
import {
  arrayOf,
  counted,
  defined,
  known,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
  stringsIn,
} from '../fields.ts'
import { hasRole, readMessage, unknownTool } from '../kit/messages.ts'
import { Remainder } from '../kit/remainder.ts'

/** The reader of Anthropic's answers. */
export const anthropicFormat: AnswerFormat = { read, join }

/** Anthropic's messages. */
export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',

  claims(request) {
    const { model = vertexModel(request), messages } = bodyOf(request)
    if (!isSentTo(request, '/messages') && vertexModel(request) === undefined) return false
    return typeof model === 'string' && hasRole(arrayOf(messages)[0])
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { system, messages, tools } = body
    const lists = listsIn(body, 'messages', 'tools')
    const instructions = typeof system === 'string' || arrayOf(system).length > 0
    const envelope = readEnvelope(request, 'chat', instructions ? ['system', ...lists] : lists)
    const first = instructions
      ? [readAnthropicMessage({ role: 'system', content: system ?? null })]
      : []
    const model = vertexModel(request)
    return {
      ...envelope,
      ...(model === undefined ? {} : { model }),
      messages: [...first, ...arrayOf(messages).map(readAnthropicMessage)],
      tools: arrayOf(tools).map(readTool),
    }
  },

  readCompletion: (response) => readAnswer(response, anthropicFormat),

  writeCompletion: writeAnthropicAnswer,
  writePrompt: writeAnthropicPrompt,
}

/** Vertex has the model in the path, before `:rawPredict` or `:streamRawPredict`. */
function vertexModel(request: WireRequest): string | undefined {
  if (request.method !== 'POST') return undefined
  const path = pathOf(request).replaceAll('%3A', ':').replaceAll('%40', '@')
  return /\/publishers\/anthropic\/models\/([^/]+):(?:streamR|r)awPredict$/.exec(path)?.[1]
}

function readAnthropicMessage(value: JsonValue): Message {
  return readMessage(value, readAnthropicPart)
}

function readTool(value: JsonValue): Tool {
  if (!isJsonObject(value)) return unknownTool(value)
  const { name, type, description, input_schema: parameters } = value
  const rest = new Remainder()
  const schema = parameters === undefined ? [] : ['input_schema']
  const named = name === undefined ? stringsIn(value, 'type') : stringsIn(value, 'name')
  rest.keep('', value, [...named, ...schema, ...stringsIn(value, 'description')])
  return defined({
    name: stringOf(name ?? type) ?? '',
    description: stringOf(description),
    parameters,
    ...rest.extra,
  })
}

function read(body: JsonObject): Completion {
  const parts = readContent(body.content, 'content', new Remainder(), readAnthropicPart)
  return {
    ...completionOf(parts, body.stop_reason),
    usage: readUsage(objectOf(body.usage)),
  }
}

/** Anthropic counts cached tokens beside the input tokens, not among them. */
function readUsage(usage: JsonObject): Usage | undefined {
  const input = numberOf(usage.input_tokens)
  const cacheRead = numberOf(usage.cache_read_input_tokens)
  const cacheCreation = numberOf(usage.cache_creation_input_tokens)
  return counted({
    inputTokens: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheCreation ?? 0),
    outputTokens: numberOf(usage.output_tokens),
    cacheReadInputTokens: cacheRead,
    cacheCreationInputTokens: cacheCreation,
    reasoningOutputTokens: numberOf(objectOf(usage.output_tokens_details).thinking_tokens),
  })
}

/** One block of a streamed answer, as received so far. */
interface Draft {
  block: JsonObject
  text: string
  thinking: string
  /** The JSON text of a tool's input. */
  input: string
}

function join(events: AnswerEvent[]): JoinedAnswer {
  const drafts = new Drafts<Draft>()
  let message: JsonObject = {}
  let usage: JsonObject = {}
  for (const { type, data } of events) {
    const index = numberOf(data.index) ?? 0
    if (type === 'message_start') message = { ...objectOf(data.message) }
    if (type === 'message_delta') message = { ...message, ...known(objectOf(data.delta)) }
    if (type === 'content_block_start') drafts.set(index, newDraft(objectOf(data.content_block)))
    if (type === 'content_block_delta') addTo(drafts, index, objectOf(data.delta))
    // Input is counted in the first event, output in the last; a later figure replaces an earlier.
    usage = {
      ...usage,
      ...known(objectOf(objectOf(data.message).usage)),
      ...known(objectOf(data.usage)),
    }
  }
  const content = drafts.inOrder().map(blockOf)
  return {
    body: { ...message, usage, content: content.length > 0 ? content : (message.content ?? []) },
    whole: events.some(({ type }) => type === 'message_stop'),
  }
}

function newDraft(block: JsonObject = {}): Draft {
  return { block, text: '', thinking: '', input: '' }
}

function addTo(drafts: Drafts<Draft>, index: number, delta: JsonObject): void {
  const draft = drafts.at(index, newDraft)
  draft.text += stringOf(delta.text) ?? ''
  draft.thinking += stringOf(delta.thinking) ?? ''
  draft.input += stringOf(delta.partial_json) ?? ''
}

function blockOf({ block, text, thinking, input }: Draft): JsonObject {
  if (block.type === 'text') return { ...block, text: (stringOf(block.text) ?? '') + text }
  if (block.type === 'thinking') {
    return { ...block, thinking: (stringOf(block.thinking) ?? '') + thinking }
  }
  return input === '' ? block : { ...block, input: tryParseJson(input) ?? input }
}
