import type { JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type JoinedAnswer } from '../kit/read-answer.ts'
import { reasonsOf } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import { numberOf, objectOf, stringOf, flatten } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'

/** A model's own address, the address of a server that has one model, or that of an endpoint. */
const PATH = /^\/?$|\/(?:generate|generate_stream|models(?:\/[^/:]+){1,2})\/?$/

/** The text generation of Hugging Face's servers. */
export const huggingFaceText: Dialect = {
  name: 'hugging-face-text',

  claims(request) {
    const asks = typeof bodyOf(request).inputs === 'string'
    return request.method === 'POST' && PATH.test(pathOf(request)) && asks
  },

  readPrompt(request) {
    const { inputs } = bodyOf(request)
    const text = stringOf(inputs)
    const envelope = readEnvelope(request, 'text_completion', text === undefined ? [] : ['inputs'])
    const [, model] = /\/models\/(.+?)\/?$/.exec(pathOf(request)) ?? []
    return {
      ...(model === undefined ? {} : { model }),
      ...envelope,
      parameters: flatten(envelope.parameters, 'parameters'),
      messages: text === undefined ? [] : [messageOf('user', text)],
      tools: [],
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion(completion, request) {
    const { text, finishReasons, incomplete, usage } = completion
    const reason = finishReasons[0] ?? (incomplete ? null : 'stop')
    const details: JsonObject = { finish_reason: reason }
    if (usage?.outputTokens !== undefined) details.generated_tokens = usage.outputTokens
    if (usage?.inputTokens !== undefined) details.input_length = usage.inputTokens
    if (!isStreamed(request)) {
      return writeAnswer(completion, { whole: { generated_text: text, details } }, writeFailure)
    }
    const events = splitWords(text).map((piece): { data: JsonObject } => ({
      data: { token: { text: piece, special: false }, generated_text: null, details: null },
    }))
    const last = { token: { text: '', special: true }, generated_text: text, details }
    if (reason !== null) events.push({ data: last })
    return writeAnswer(completion, { events }, writeFailure)
  },
}

function isStreamed(request: WireRequest): boolean {
  return bodyOf(request).stream === true || /\/generate_stream\/?$/.test(pathOf(request))
}

function writeFailure(message: string): JsonObject {
  return { error: message, error_type: 'validation' }
}

function read(body: JsonObject): Completion {
  const details = objectOf(body.details)
  const outputTokens = numberOf(details.generated_tokens)
  const inputTokens = numberOf(details.input_length)
  return {
    text: stringOf(body.generated_text) ?? '',
    toolCalls: [],
    finishReasons: reasonsOf(details.finish_reason),
    usage:
      outputTokens === undefined
        ? undefined
        : { ...(inputTokens === undefined ? {} : { inputTokens }), outputTokens },
  }
}

function join(events: AnswerEvent[]): JoinedAnswer {
  const end = events.find(({ data }) => typeof data.generated_text === 'string')
  const streamed = events.map(({ data }) => {
    const { text, special } = objectOf(data.token)
    return special === true ? '' : (stringOf(text) ?? '')
  })
  const body = { generated_text: streamed.join(''), ...end?.data }
  return { body, whole: end !== undefined }
}
