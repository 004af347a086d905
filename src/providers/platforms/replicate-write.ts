import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { StreamEvent } from '../../wire/event-stream.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { bodyOf, pathOf } from '../kit/envelope.ts'
import { jsonObject } from '../fields.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'

const ID = 'prediction'

/** Whether a request reads the stream of a prediction, which has a host of its own. */
export function isReplicateStream(request: WireRequest): boolean {
  return /\/v1\/(?:streams|files)\/[^/]+$/.test(pathOf(request))
}

/** Writes a prediction, or its stream. */
export function writePrediction(completion: Completion, request: WireRequest): WireResponse {
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
    metrics: usage && {
      ...(usage.inputTokens === undefined ? {} : { input_token_count: usage.inputTokens }),
      ...(usage.outputTokens === undefined ? {} : { output_token_count: usage.outputTokens }),
    },
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
