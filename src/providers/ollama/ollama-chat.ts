import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { Message } from '../../prompt/prompt.ts'
import type { WireRequest } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type JoinedAnswer } from '../kit/read-answer.ts'
import { completionOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import {
  arrayOf,
  counted,
  jsonObject,
  listsIn,
  numberOf,
  objectOf,
  stringOf,
  flatten,
} from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { providerOf } from '../providers.ts'
import { readOllamaAnswer, readOllamaImages, readOllamaMessage } from './ollama-messages.ts'
import { readOpenAiTool } from '../openai/openai-tools.ts'
import { writeOllamaAnswer } from './ollama-write.ts'

/** Ollama's default port. */
const PORT = '11434'

/** Ollama's own chat and generate. */
export const ollamaChat: Dialect = {
  name: 'ollama-chat',

  claims(request) {
    const { model, messages, prompt, stream } = bodyOf(request)
    if (typeof model !== 'string') return false
    // Many web applications have a chat of their own on the same path.
    if (!isForOllama(request) && typeof stream !== 'boolean') return false
    if (isSentTo(request, '/api/generate')) return typeof prompt === 'string'
    return isSentTo(request, '/api/chat') && arrayOf(messages).length > 0 && isChat(messages!)
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const generates = isSentTo(request, '/api/generate')
    const { messages, read } = generates ? readTexts(body) : readChat(body)
    const lists = listsIn(body, 'tools')
    const envelope = readEnvelope(request, generates ? 'text_completion' : 'chat', [
      ...read,
      ...lists,
    ])
    return {
      ...envelope,
      parameters: flatten(envelope.parameters, 'options'),
      messages,
      tools: arrayOf(body.tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion: writeOllamaAnswer,
}

/** Whether a request goes to a known address of Ollama, so that its body need not prove the format. */
export function isForOllama(request: WireRequest): boolean {
  const url = URL.parse(request.url)
  return url !== null && (url.port === PORT || providerOf(url) === 'ollama')
}

/** Messages with `parts` belong to a user interface, and not to Ollama. */
function isChat(messages: JsonValue): boolean {
  return arrayOf(messages)
    .map(objectOf)
    .every(({ role, parts }) => typeof role === 'string' && parts === undefined)
}

function readChat(body: JsonObject): { messages: Message[]; read: string[] } {
  const messages = arrayOf(body.messages).map(readOllamaMessage)
  return { messages, read: listsIn(body, 'messages') }
}

function readTexts(body: JsonObject): { messages: Message[]; read: string[] } {
  const { system, prompt, images } = body
  const messages: Message[] = []
  const read = listsIn(body, 'images')
  if (typeof system === 'string') {
    read.push('system')
    messages.push(messageOf('system', system))
  }
  const parts = readOllamaImages(images)
  if (typeof prompt === 'string') {
    read.push('prompt')
    parts.unshift({ type: 'text', text: prompt })
  }
  return { messages: parts.length > 0 ? [...messages, { role: 'user', parts }] : messages, read }
}

function read(body: JsonObject): Completion {
  const parts = readOllamaAnswer(body)
  return {
    ...completionOf(parts, body.done_reason),
    usage: readUsage(body),
  }
}

function readUsage(body: JsonObject): Usage | undefined {
  return counted({
    inputTokens: numberOf(body.prompt_eval_count),
    outputTokens: numberOf(body.eval_count),
  })
}

function join(events: AnswerEvent[]): JoinedAnswer {
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
}
