import type { JsonObject } from '../../json/json-value.ts'
import { reasonsOf } from '../content.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Dialect } from '../dialect.ts'
import { stringOf } from '../fields.ts'
import { readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { type AnswerEvent, type JoinedAnswer, readAnswer } from '../kit/read-answer.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { writeAnthropicFailure } from './anthropic-messages.ts'

/** Anthropic's text completions, the API before messages. */
export const anthropicComplete: Dialect = {
  name: 'anthropic-complete',
  renewed: { id: ['id', 'log_id'] },

  claims(request) {
    const { model, prompt, max_tokens_to_sample: limit } = bodyOf(request)
    if (!isSentTo(request, '/v1/complete') || limit === undefined) return false
    return typeof model === 'string' && typeof prompt === 'string'
  },

  readPrompt(request) {
    return readInputPrompt(request, 'text_completion', 'prompt')
  },

  readCompletion: (response) => readAnswer(response, { read: readComplete, join: joinComplete }),

  writeCompletion(completion, request) {
    const { text, finishReasons, incomplete } = completion
    const { model = '', stream } = bodyOf(request)
    const reason = finishReasons[0] ?? (incomplete ? null : 'stop_sequence')
    const piece = (said: string, stop_reason: string | null): JsonObject => {
      return { type: 'completion', id: 'compl_0', completion: said, stop_reason, model }
    }
    if (stream !== true)
      return writeAnswer(completion, { whole: piece(text, reason) }, writeAnthropicFailure)
    const pieces = splitWords(text).map((said) => piece(said, null))
    if (reason !== null) pieces.push(piece('', reason))
    const events = pieces.map((data) => ({ event: 'completion', data }))
    return writeAnswer(completion, { events }, writeAnthropicFailure)
  },
}

function readComplete(body: JsonObject): Completion {
  return {
    text: stringOf(body.completion) ?? '',
    toolCalls: [],
    finishReasons: reasonsOf(body.stop_reason),
  }
}

function joinComplete(events: AnswerEvent[]): JoinedAnswer {
  const completion = events.map(({ data }) => stringOf(data.completion) ?? '').join('')
  const end = events.findLast(({ data }) => typeof data.stop_reason === 'string')
  return {
    body: { completion, stop_reason: end?.data.stop_reason ?? null },
    whole: end !== undefined,
  }
}
