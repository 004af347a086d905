import type { JsonObject } from '../../json/json-value.ts'
import type { Completion, Usage } from '../../prompt/completion.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { readCohereUsage, writeCohereUsage } from './cohere-chat.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, listsIn, numberOf, objectOf } from '../fields.ts'
import { messageOf } from '../kit/messages.ts'
import { writeAnswer } from '../kit/write-answer.ts'

const RANKED = /^(\d+): (\S+)$/

/** Cohere's rerank, which other providers have copied. */
export const cohereRerank: Dialect = {
  name: 'cohere-rerank',
  renewed: { id: ['id'] },

  claims(request) {
    const { model, query, documents } = bodyOf(request)
    if (!isSentTo(request, '/rerank') || typeof model !== 'string') return false
    return typeof query === 'string' && Array.isArray(documents)
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { query, documents } = body
    const read = listsIn(body, 'documents')
    if (typeof query === 'string') read.push('query')
    return {
      ...readEnvelope(request, 'rerank', read),
      messages: [
        ...(typeof query === 'string' ? [messageOf('user', query)] : []),
        ...arrayOf(documents).map((document) => messageOf('document', document)),
      ],
      tools: [],
    }
  },

  readCompletion: (response) => readAnswer(response, { read }),

  writeCompletion(completion) {
    const { text, usage } = completion
    const results = text.split('\n').flatMap((line): JsonObject[] => {
      const [, index, score] = RANKED.exec(line) ?? []
      return index ? [{ index: Number(index), relevance_score: Number(score) }] : []
    })
    const whole = { results, ...(usage ? { meta: writeCohereUsage(usage) } : {}) }
    return writeAnswer(completion, { whole }, (message) => ({ message }))
  },
}

function read(body: JsonObject): Completion {
  const ranked = arrayOf(body.results ?? body.data).map(objectOf)
  const lines = ranked.flatMap(({ index, relevance_score }) => {
    const [place, score] = [numberOf(index), numberOf(relevance_score)]
    return place === undefined || score === undefined ? [] : `${place}: ${score}`
  })
  return { text: lines.join('\n'), toolCalls: [], finishReasons: [], usage: readUsage(body) }
}

/** Providers that copied Cohere count only a total, which is all input. */
function readUsage({ meta, usage }: JsonObject): Usage | undefined {
  const inputTokens = numberOf(objectOf(usage).total_tokens)
  return inputTokens === undefined ? readCohereUsage(meta) : { inputTokens }
}
