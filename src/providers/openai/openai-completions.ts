import type { JsonObject } from '../../json/json-value.ts'
import type { Dialect } from '../dialect.ts'
import { arrayOf, known, numberOf, objectOf, stringOf } from '../fields.ts'
import { Drafts } from '../kit/drafts.ts'
import { readInputPrompt } from '../kit/embeddings.ts'
import { bodyOf, isSentTo } from '../kit/envelope.ts'
import { type AnswerFormat, readAnswer } from '../kit/read-answer.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { chatUsage, readOpenAiUsage, writeChatFailure } from './openai-chat.ts'
import { CHAT_RESPONSE } from './openai-places.ts'

const FORMAT: AnswerFormat = {
  read(body) {
    const choices = arrayOf(body.choices).map(objectOf)
    return {
      text: stringOf(choices[0]?.text) ?? '',
      finishReasons: choices.flatMap(({ finish_reason }) => stringOf(finish_reason) ?? []),
      usage: readOpenAiUsage(body.usage),
    }
  },

  join(events) {
    const choices = new Drafts<{ text: string; finish_reason: string | null }>()
    let usage: JsonObject = {}
    for (const { data } of events) {
      usage = { ...usage, ...known(objectOf(data.usage)) }
      for (const { index, text, finish_reason } of arrayOf(data.choices).map(objectOf)) {
        const place = numberOf(index) ?? 0
        const draft = choices.at(place, () => ({ text: '', finish_reason: null }))
        draft.text += stringOf(text) ?? ''
        draft.finish_reason = stringOf(finish_reason) ?? draft.finish_reason
      }
    }
    // Writer sends one text in pieces, and nothing that marks its end.
    const values = events.flatMap(({ data }) => stringOf(data.value) ?? [])
    if (values.length > 0 && choices.size === 0) {
      const body = { choices: [{ text: values.join('') }], usage }
      return { body, whole: values.length === events.length }
    }
    const sorted = choices.inOrder()
    const finished = sorted.length > 0 && sorted.every((draft) => draft.finish_reason !== null)
    return {
      body: { choices: sorted.map((draft) => ({ ...draft })), usage },
      whole: finished || events.some(({ text }) => text === '[DONE]'),
    }
  },
}

/** OpenAI's text completions, the API before chats. */
export const openaiCompletions: Dialect = {
  name: 'openai-completions',
  places: CHAT_RESPONSE,
  tooLong: 'length',
  choices: 'choices',

  claims(request) {
    const { model, prompt } = bodyOf(request)
    const asks = typeof prompt === 'string' || arrayOf(prompt).length > 0
    const named = typeof model === 'string' || request.url.includes('/deployments/')
    return isSentTo(request, '/completions') && named && asks
  },

  readPrompt: (request) => readInputPrompt(request, 'text_completion', 'prompt'),

  readCompletion: (response) => readAnswer(response, FORMAT),

  writeCompletion(completion, request) {
    const { text, finishReasons, incomplete, usage } = completion
    const { model = '', stream } = bodyOf(request)
    const head = { id: 'cmpl-0', object: 'text_completion', created: 0, model }
    const reasons = finishReasons.length > 0 || incomplete ? finishReasons : ['stop']
    const chosen = (said: string): JsonObject[] => {
      const choices = reasons.map((finish_reason, index) => choice('', index, finish_reason))
      return [choice(said, 0, reasons[0] ?? null), ...choices.slice(1)]
    }
    const counted = chatUsage(usage)
    if (stream !== true) {
      const whole = { ...head, choices: chosen(text), ...counted }
      return writeAnswer(completion, { whole }, writeChatFailure)
    }
    const values: JsonObject[] = [
      ...splitWords(text).map((piece) => ({ ...head, choices: [choice(piece, 0, null)] })),
      { ...head, choices: chosen(''), ...counted },
    ]
    const end = incomplete ? [] : [{ data: '[DONE]' }]
    const events = [...values.map((data) => ({ data })), ...end]
    return writeAnswer(completion, { events }, writeChatFailure)
  },
}

function choice(text: string, index: number, finish_reason: string | null): JsonObject {
  return { text, index, logprobs: null, finish_reason }
}
