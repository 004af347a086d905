import { isJsonObject, tryParseJson, type JsonValue } from '../../json/json-value.ts'
import { findBase64 } from '../../prompt/base64.ts'
import type { Message } from '../../prompt/prompt.ts'
import { textOf, type Body } from '../../wire/body.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readAnswer } from './read-answer.ts'
import { blobOf } from './blob.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, formFiles, pathOf, readEnvelope } from './envelope.ts'
import { type Field, isFilled, objectOf } from '../fields.ts'
import { hasRole, messageOf } from './messages.ts'
import { readOpenAiMessage } from '../openai/openai-messages.ts'
import { readOpenAiUsage } from '../openai/openai-chat.ts'

/** Fields that hold the messages in more than one format. */
const MESSAGE_FIELDS = ['messages', 'prompt', 'input']

/** The most characters of an answer to repeat as text; the wire response has all of them. */
const MAX_TEXT = 4_000

/** Fields beside the text of a transcript. */
const TRANSCRIPT = new Set([
  'usage',
  'task',
  'language',
  'duration',
  'segments',
  'words',
  'logprobs',
])

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/

/** Any format without a dialect of its own: keeps the prompt as it is, and shows the answer raw. */
export const generic: Dialect = {
  name: 'generic',

  claims: () => true,

  readPrompt(request) {
    const body = bodyOf(request)
    const read = MESSAGE_FIELDS.filter((field) => isFilled(body[field]))
    const messages = read.flatMap((field) => readSaid(body[field]))
    return {
      ...readEnvelope(request, operationOf(request), read),
      messages: [...messages, ...readOtherBody(request.body)],
      tools: [],
    }
  },

  readCompletion(response) {
    const text = response.status < 400 ? showBody(response) : ''
    const { incomplete, ...completion } = readAnswer(response, {
      read: ({ usage }) => ({ text, usage: readOpenAiUsage(usage) }),
      join: () => ({ body: {}, whole: true }),
    })
    // Among unknown formats, only JSON shows where it ends.
    const tells = JSON_TYPE.test(response.headers['content-type'] ?? '')
    const cut = response.cut || (tells && response.body.kind !== 'empty')
    return incomplete && cut ? { ...completion, incomplete } : completion
  },
}

/** The operation: the last part of the path that is no id, such as `generations` or `batches`. */
function operationOf(request: WireRequest): string {
  const parts = pathOf(request).split(/[/:]/).filter(Boolean)
  const word = parts.findLast((part) => !/\d/.test(part))
  return word ?? parts.at(-1) ?? request.method.toLowerCase()
}

function readSaid(value: Field): Message[] {
  if (!Array.isArray(value)) return [messageOf('user', value ?? null)]
  // An array of numbers is one text in tokens.
  if (typeof value[0] === 'number') return [messageOf('user', value)]
  return value.map((item) => (hasRole(item) ? readOpenAiMessage(item) : messageOf('user', item)))
}

/** A body without fields is the prompt as a whole. */
function readOtherBody(body: Body): Message[] {
  if (body.kind === 'empty') return []
  if (body.kind === 'form') return formFiles(body.parts)
  if (body.kind === 'bytes')
    return [{ role: 'user', parts: [blobOf(Buffer.from(body.bytes).toString('base64'))] }]
  const text = textOf(body)
  const value = body.kind === 'json' ? body.value : tryParseJson(text)
  return isJsonObject(value) ? [] : [messageOf('user', value ?? text)]
}

/** Shows a transcript as its text, and files in any other answer by their size. */
function showJson(value: JsonValue): string {
  const { text, ...others } = objectOf(value)
  const isTranscript = Object.keys(others).every((field) => TRANSCRIPT.has(field))
  if (typeof text === 'string' && isTranscript) return text
  return JSON.stringify(value, (_, item: unknown) => {
    const content = typeof item === 'string' ? findBase64(item) : undefined
    return content ? `[${Buffer.byteLength(content.base64, 'base64')} bytes]` : item
  })
}

function showBody({ body, headers }: WireResponse): string {
  if (body.kind === 'bytes') {
    const type = headers['content-type']?.split(';')[0]
    return `${body.bytes.length} bytes${type ? ` of ${type}` : ''}`
  }
  const text = body.kind === 'json' ? showJson(body.value) : textOf(body)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
