import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { reasonsOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, flatten, jsonObject, stringOf, unlessEmpty } from '../fields.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import { places } from '../kit/places.ts'
import { takenMessage } from '../kit/messages.ts'
import { Taken } from '../kit/taken.ts'
import { type AnswerFormat, errorMessage, readAnswer } from '../kit/read-answer.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { readOpenAiMessage } from '../openai/openai-messages.ts'
import { providerOf } from '../providers.ts'
import { readUsage, writeUsage, type UsageFormat } from '../kit/usage.ts'

const PREDICTIONS = /\/v1(?:\/(?:models|deployments)\/([^/]+\/[^/]+))?\/predictions\/?$/
const POLLED = /\/v1\/predictions\/[^/]+$/

/** Replicate's predictions: requested, polled until they are there, or read from a stream. */
const predictions: Dialect = {
  name: 'replicate',
  places: [
    ...places('renewed', 'id', 'urls.*'),
    ...places(
      'ignored',
      'created_at',
      'started_at',
      'completed_at',
      'metrics.predict_time',
      'metrics.total_time',
      'metrics.time_to_first_token',
      'metrics.tokens_per_second',
    ),
    ...places('usage', 'metrics.input_token_count', 'metrics.token_input_count'),
  ],

  claims(request) {
    const url = URL.parse(request.url)
    if (!url) return false
    if (request.method === 'POST')
      return PREDICTIONS.test(url.pathname) && isJsonObject(bodyOf(request).input)
    const isRead = POLLED.test(url.pathname) || isReplicateStream(request)
    return request.method === 'GET' && providerOf(url) === 'replicate' && isRead
  },

  readPrompt(request) {
    const input = new Taken(bodyOf(request).input)
    const messages = [
      ...takenMessage(input, 'system_prompt', 'system'),
      ...takenMessage(input, 'prompt', 'user'),
      ...input.list('messages').map(readOpenAiMessage),
    ]
    const read = messages.length > 0 ? ['input'] : []
    const { model, ...envelope } = readEnvelope(request, 'prediction', read)
    const rest = unlessEmpty(input.left)
    const parameters: JsonObject = { ...envelope.parameters }
    if (messages.length > 0 && rest) parameters.input = rest
    const named = modelOf(request) ?? model
    return {
      ...envelope,
      ...(named === undefined ? {} : { model: named }),
      parameters: flatten(parameters, 'input'),
      messages,
      tools: [],
    }
  },

  readCompletion: (response) => readAnswer(response, FORMAT),

  writeCompletion: writePrediction,
}

/** The model in the path; a version in the body is a parameter beside it. */
function modelOf(request: WireRequest): string | undefined {
  return PREDICTIONS.exec(pathOf(request))?.[1]
}

/** Joins the pieces of a text; links to files get a line each. */
function textOf(output: JsonValue): string {
  if (output === null) return ''
  if (typeof output === 'string') return output
  const texts = arrayOf(output).filter((item) => typeof item === 'string')
  if (texts.length === 0 || texts.length < arrayOf(output).length) return JSON.stringify(output)
  return texts.join(texts.every((text) => /^https?:/.test(text)) ? '\n' : '')
}

const USAGE: UsageFormat = {
  inputTokens: ['input_token_count', 'token_input_count'],
  outputTokens: ['output_token_count', 'token_output_count'],
}

const FORMAT: AnswerFormat = {
  /** The data of an event is the text itself, whatever it looks like. */
  streamsText: true,

  read(body) {
    return {
      text: textOf(body.output ?? null),
      finishReasons: reasonsOf(body.status),
      usage: readUsage(USAGE, body.metrics),
      error: body.error ? errorMessage(body.error) : undefined,
    }
  },

  join(events) {
    const done = events.find(({ type }) => type === 'done')
    const output = events.flatMap(({ type, text }) => (type === 'output' ? text : []))
    const reason = stringOf(done?.data.reason)
    const status = reason === 'error' ? 'failed' : (reason ?? 'succeeded')
    return { body: { output, ...(done ? { status } : {}) }, whole: done !== undefined }
  },
}

const ID = 'prediction'

/** Whether a request reads the stream of a prediction, which has a host of its own. */
function isReplicateStream(request: WireRequest): boolean {
  return /\/v1\/(?:streams|files)\/[^/]+$/.test(pathOf(request))
}

/** Writes a prediction, or its stream. */
function writePrediction(completion: Completion, request: WireRequest): WireResponse {
  const streams = request.method === 'GET' && isReplicateStream(request)
  const written = streams
    ? { events: eventsOf(completion) }
    : { whole: wholeOf(completion, request) }
  return writeAnswer(completion, written, (error) => ({ error, detail: error }))
}

function wholeOf(completion: Completion, request: WireRequest): JsonObject {
  const { text, finishReasons, incomplete, usage } = completion
  const { version, input } = bodyOf(request)
  return jsonObject({
    id: ID,
    version,
    input,
    output: text,
    error: null,
    status: finishReasons[0] ?? (incomplete ? undefined : 'succeeded'),
    metrics: usage && writeUsage(USAGE, usage),
    urls: {
      get: `https://api.replicate.com/v1/predictions/${ID}`,
      stream: `https://stream.replicate.com/v1/files/${ID}`,
    },
  })
}

function eventsOf({ text, finishReasons, incomplete }: Completion): StreamEvent[] {
  const [reason] = finishReasons
  const isOpen = incomplete === true && reason === undefined
  const ending: JsonObject = {}
  if (reason !== undefined && reason !== 'succeeded') ending.reason = wordOf(reason)
  return [
    ...splitWords(text).map(outputEvent),
    ...(isOpen ? [] : [{ event: 'done', data: ending }]),
  ]
}

function wordOf(status: string): string {
  return status === 'failed' ? 'error' : status
}

/** Every line of a text needs a `data` field of its own. */
function outputEvent(text: string): StreamEvent {
  if (!/[\r\n]/.test(text)) return { event: 'output', data: text }
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return `event: output\n${lines.join('')}\n`
}

export const replicateDialects: readonly Dialect[] = [predictions]
