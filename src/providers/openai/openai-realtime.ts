import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import type { Prompt } from '../../prompt/prompt.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import type { AnswerEvent, JoinedAnswer } from '../kit/read-answer.ts'
import { blobOf } from '../kit/blob.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, objectOf, stringOf, unlessEmpty, without, flatten } from '../fields.ts'
import { writeChatFailure } from './openai-chat.ts'
import {
  joinResponseEvents,
  readResponse,
  readResponseInput,
  readResponseItem,
  writeResponsesAnswer,
} from './openai-responses.ts'
import { readOpenAiTool } from './openai-messages.ts'
import { isOnSocket, onlyEvent, readSocketAnswer, unmarked } from '../kit/socket.ts'
import { Taken } from '../kit/taken.ts'
import { writeAnswer } from '../kit/write-answer.ts'

const PATH = /\/(?:realtime|responses)\/?$/

/** OpenAI's Realtime, and its responses over a socket: each event of the client is a prompt. */
export const openaiRealtime: Dialect = {
  name: 'openai-realtime',

  claims(request) {
    if (!isOnSocket(request, PATH)) return false
    return request.method === 'GET' || typeof bodyOf(request).type === 'string'
  },

  readPrompt(request) {
    const { type, ...event } = bodyOf(request)
    // The prompt stands in the event itself, or in its `session` or `response`.
    const field = ['session', 'response'].find((name) => isJsonObject(event[name]))
    const body = new Taken(field === undefined ? event : event[field])
    const others = field === undefined ? {} : without(event, [field])
    return readTalk(request, stringOf(type) ?? 'connect', body, others)
  },

  readCompletion: (response) => readSocketAnswer(response, { read, join }),

  writeCompletion,
}

function readTalk(
  request: WireRequest,
  operation: string,
  body: Taken,
  others: JsonObject,
): Prompt {
  const messages = readResponseInput(body)
  const tools = body.list('tools').map(readOpenAiTool)
  if (body.holds('item')) messages.push(readResponseItem(body.any('item')!))
  const audio = body.text('audio')
  if (audio !== undefined) messages.push({ role: 'user', parts: [blobOf(audio)] })
  const { provider } = readEnvelope(request, operation)
  const model = body.text('model') ?? modelIn(request)
  const asked = unlessEmpty(body.left)
  return {
    provider,
    operation,
    ...(model === undefined ? {} : { model }),
    parameters: asked ? flatten({ ...others, asked }, 'asked') : others,
    messages,
    tools,
  }
}

function modelIn({ url }: WireRequest): string | undefined {
  return URL.parse(url)?.searchParams.get('model') ?? undefined
}

/** One event can be answered with several responses, and a response can begin before it. */
function join(events: AnswerEvent[]): JoinedAnswer {
  const byResponse = new Map<string, AnswerEvent[]>()
  let current = ''
  for (const event of events.map(unmarked)) {
    if (!event.type.startsWith('response.')) continue
    const { response_id: id, response } = event.data
    current = stringOf(id) ?? stringOf(objectOf(response).id) ?? current
    byResponse.set(current, [...(byResponse.get(current) ?? []), event])
  }
  const joined = [...byResponse.values()].map(joinResponseEvents)
  return {
    body: { responses: joined.map(({ body }) => body) },
    whole: joined.every(({ whole }) => whole),
  }
}

function read(body: JsonObject): Completion {
  const joined = body.type === undefined ? body : join(onlyEvent(body)).body
  const answers = arrayOf(joined.responses).map((response) => readResponse(objectOf(response)))
  const texts = (part: 'text' | 'reasoning'): string =>
    answers
      .map((answer) => answer[part] ?? '')
      .filter(Boolean)
      .join('\n\n')
  return {
    text: texts('text'),
    reasoning: texts('reasoning') || undefined,
    toolCalls: answers.flatMap(({ toolCalls }) => toolCalls),
    finishReasons: answers.flatMap(({ finishReasons }) => finishReasons),
    usage: sumOf(answers.flatMap(({ usage }) => usage ?? [])),
    error: answers.find(({ error }) => error !== undefined)?.error,
  }
}

function sumOf(usages: Usage[]): Usage | undefined {
  if (usages.length === 0) return undefined
  const sum: Usage = {}
  for (const usage of usages)
    for (const name of Object.keys(usage) as (keyof Usage)[])
      sum[name] = (sum[name] ?? 0) + (usage[name] ?? 0)
  return sum
}

/** Writes the events of a streamed response. On a Realtime socket, the last has another name. */
function writeCompletion(completion: Completion, request: WireRequest): WireResponse {
  const asked = { ...request, body: streaming(request) }
  const { error: _, ...whole } = completion
  const { body } = writeResponsesAnswer(whole, asked)
  const events = body.kind === 'events' ? body.events : []
  const isRealtime = !/\/responses\/?$/.test(pathOf(request))
  const lines = events.map((event) => {
    const data = objectOf(typeof event === 'string' ? null : event.data)
    return isRealtime && ENDS.has(data.type) ? { ...data, type: 'response.done' } : data
  })
  return writeAnswer(completion, { lines }, writeChatFailure)
}

const ENDS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed'])

function streaming(request: WireRequest): WireRequest['body'] {
  const { response, model } = bodyOf(request)
  const value = { model: model ?? modelIn(request) ?? '', ...objectOf(response), stream: true }
  return { kind: 'json', value, layout: {} }
}
