import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { Part } from '../../prompt/prompt.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { contentAt } from '../kit/blob.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, isSentTo, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, objectOf, stringOf, type Field } from '../fields.ts'
import { Remainder } from '../kit/remainder.ts'
import { writeAnswer } from '../kit/write-answer.ts'

/** Mistral's reading of documents and pictures: each page becomes Markdown. */
export const mistralOcr: Dialect = {
  name: 'mistral-ocr',

  claims(request) {
    return isSentTo(request, '/ocr') && isJsonObject(bodyOf(request).document)
  },

  readPrompt(request) {
    const { document } = bodyOf(request)
    const rest = new Remainder()
    const read = isJsonObject(document) ? ['document'] : []
    const parts = isJsonObject(document) ? [readDocument(document, rest)] : []
    const messages = parts.length > 0 ? [{ role: 'user', parts, ...rest.extra }] : []
    return { ...readEnvelope(request, 'ocr', read), messages, tools: [] }
  },

  readCompletion: (response) => readAnswer(response, { read }),

  writeCompletion(completion, request) {
    const { model = '' } = bodyOf(request)
    const page = { index: 0, markdown: completion.text, images: [], dimensions: null }
    const whole = { pages: [page], model, usage_info: { pages_processed: 1 } }
    return writeAnswer(completion, { whole }, (message) => ({ object: 'error', message }))
  },
}

function readDocument(document: JsonObject, rest: Remainder): Part {
  const field = ['document_url', 'image_url'].find((name) => addressOf(document[name]))
  const address = field === undefined ? undefined : addressOf(document[field])
  if (field === undefined || address === undefined) return { type: 'other', value: document }
  const isUsual = document.type === field && typeof document[field] === 'string'
  rest.keep('document', document, [...(isUsual ? ['type'] : []), field])
  if (isJsonObject(document[field])) rest.keep(`document.${field}`, document[field], ['url'])
  return contentAt(address)
}

function addressOf(value: Field): string | undefined {
  return stringOf(value) ?? stringOf(objectOf(value).url)
}

function read(body: JsonObject): Completion {
  const pages = arrayOf(body.pages).map((page) => stringOf(objectOf(page).markdown) ?? '')
  return { text: pages.join('\n\n'), toolCalls: [], finishReasons: [] }
}
