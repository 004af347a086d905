import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Message, Part, Tool } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { completionOf, type PartReader, partsIn, readResult } from '../content.ts'
import { writeAnthropicPrompt } from './anthropic-prompt-write.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, jsonObject, known, numberOf, objectOf, stringOf } from '../fields.ts'
import { blobOf, contentAt } from '../kit/blob.ts'
import { Drafts } from '../kit/drafts.ts'
import { bodyOf, isSentTo, pathOf } from '../kit/envelope.ts'
import { hasRole, readMessage, unknownTool } from '../kit/messages.ts'
import { type AnswerFormat, readAnswer } from '../kit/read-answer.ts'
import {
  argumentsText,
  byType,
  callId,
  eachSaid,
  reasonOr,
  splitWords,
  writeAnswer,
} from '../kit/write-answer.ts'
import { ANTHROPIC_RESPONSE } from './anthropic-places.ts'
import { readUsage, writeUsage, type UsageFormat } from '../kit/usage.ts'
import {
  Taken,
  takenCall,
  takenResult,
  takePart,
  takePrompt,
  takeText,
  takeTool,
} from '../kit/taken.ts'

/** The reader of Anthropic's answers. */
export const anthropicFormat: AnswerFormat = {
  read(body) {
    const parts = partsIn(body.content, readAnthropicPart)
    return { ...completionOf(parts, body.stop_reason), usage: readUsage(USAGE, body.usage) }
  },

  join(events) {
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
  },
}

/** Anthropic's messages. */
export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  places: ANTHROPIC_RESPONSE,
  tooLong: 'max_tokens',

  claims(request) {
    const { model = vertexModel(request), messages } = bodyOf(request)
    if (!isSentTo(request, '/messages') && vertexModel(request) === undefined) return false
    return typeof model === 'string' && hasRole(arrayOf(messages)[0])
  },

  readPrompt(request) {
    const model = vertexModel(request)
    return takePrompt(request, 'chat', (body) => {
      const system = body.said('system')
      const first = system === undefined ? [] : [{ role: 'system', content: system }]
      return {
        ...(model === undefined ? {} : { model }),
        messages: [...first, ...body.list('messages')].map(readAnthropicMessage),
        tools: body.list('tools').map(readTool),
      }
    })
  },

  readCompletion: (response) => readAnswer(response, anthropicFormat),

  writeCompletion(completion, request) {
    const { stream, model } = bodyOf(request)
    const name = stringOf(model) ?? ''
    const written =
      stream === true
        ? { events: byType(messageEvents(completion, request, name)) }
        : { whole: wholeMessage(completion, request, name) }
    return writeAnswer(completion, written, writeAnthropicFailure)
  },

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
  const tool = new Taken(value)
  return takeTool(tool, tool.text('name') ?? tool.text('type'), 'input_schema')
}

/** Anthropic counts cached tokens beside the input tokens, not among them. */
const USAGE: UsageFormat = {
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cacheReadInputTokens: 'cache_read_input_tokens',
  cacheCreationInputTokens: 'cache_creation_input_tokens',
  reasoningOutputTokens: 'output_tokens_details.thinking_tokens',
  cachedBeside: true,
}

/** One block of a streamed answer, as received so far. */
interface Draft {
  block: JsonObject
  text: string
  thinking: string
  /** The JSON text of a tool's input. */
  input: string
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

/** Reads a block of content as Anthropic's messages send and answer it. */
const readAnthropicPart: PartReader = takePart((block) => {
  const { type } = block
  if (type === 'text') return takeText(block, 'text', 'text')
  if (type === 'thinking') return takeText(block, 'reasoning', 'thinking')
  if (type === 'image' || type === 'document') return readSource(block)
  // The tools can also run on Anthropic's or another server.
  if (type.endsWith('tool_use')) {
    block.is('type', 'tool_use')
    return takenCall(block.text('id'), block.text('name'), block.any('input') ?? {})
  }
  if (!type.endsWith('tool_result')) return undefined
  block.is('type', 'tool_result')
  const id = block.text('tool_use_id')
  return takenResult(id, readResult(block.filled('content'), readAnthropicPart))
})

function readSource(block: Taken): Part | undefined {
  // The media type decides whether a file is an image or a document.
  block.is('type', 'image')
  const source = block.inner('source')
  const isInline = source.is('type', 'base64')
  if (!isInline && !source.is('type', 'url')) return undefined
  const content = source.text(isInline ? 'data' : 'url')
  if (content === undefined) return undefined
  return isInline ? blobOf(content, source.text('media_type')) : contentAt(content)
}

/** An answer in one piece. */
export function wholeMessage(
  completion: Completion,
  request: WireRequest,
  model: string,
): JsonObject {
  return {
    ...headOf(model),
    content: blocksOf(completion, request),
    stop_reason: reasonOf(completion),
    stop_sequence: null,
    usage: writeUsage(USAGE, completion.usage),
  }
}

/** An answer in the events of a stream. */
export function messageEvents(
  completion: Completion,
  request: WireRequest,
  model: string,
): JsonObject[] {
  const usage = writeUsage(USAGE, completion.usage)
  const { output_tokens: output } = usage
  const message = { ...headOf(model), content: [], stop_reason: null, stop_sequence: null, usage }
  const reason = reasonOf(completion)
  const last = {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: jsonObject({ output_tokens: output }),
  }
  return [
    { type: 'message_start', message },
    ...blocksOf(completion, request).flatMap(blockEvents),
    ...(reason === null ? [] : [last]),
    ...(completion.incomplete ? [] : [{ type: 'message_stop' }]),
  ]
}

/** An error in Anthropic's format. */
export function writeAnthropicFailure(message: string): JsonObject {
  return { type: 'error', error: { type: 'invalid_request_error', message } }
}

function headOf(model: string): JsonObject {
  return { id: 'msg_written', type: 'message', role: 'assistant', model }
}

function blocksOf(completion: Completion, request: WireRequest): JsonObject[] {
  return eachSaid<JsonObject>(completion, {
    reasoning: (thinking) => ({ type: 'thinking', thinking, signature: '' }),
    text: (text) => ({ type: 'text', text }),
    call(call, index) {
      const id = callId(call, index, 'toolu_', request)
      // Anthropic's own server answers such a call, so it is none for the application.
      const type = id.startsWith('srvtoolu_') ? 'server_tool_use' : 'tool_use'
      return { type, id, name: call.name, input: call.arguments }
    },
  })
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const { type, text, thinking, input = {} } = block
  const [start, kind, field, pieces]: [JsonObject, string, string, string[]] =
    type === 'text'
      ? [{ type, text: '' }, 'text_delta', 'text', splitWords(text)]
      : type === 'thinking'
        ? [{ type, thinking: '', signature: '' }, 'thinking_delta', type, splitWords(thinking)]
        : [{ ...block, input: {} }, 'input_json_delta', 'partial_json', [argumentsText(input)]]
  return [
    { type: 'content_block_start', index, content_block: start },
    ...pieces.map((piece) => ({
      type: 'content_block_delta',
      index,
      delta: { type: kind, [field]: piece },
    })),
    { type: 'content_block_stop', index },
  ]
}

function reasonOf(completion: Completion): string | null {
  return reasonOr(completion, completion.toolCalls.length > 0 ? 'tool_use' : 'end_turn') ?? null
}
