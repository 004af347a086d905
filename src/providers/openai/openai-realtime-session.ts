import { tryParseJson, type JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readAnswer } from '../kit/read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import { flatten, jsonObject, objectOf, stringOf } from '../fields.ts'
import { takenMessage } from '../kit/messages.ts'
import { Taken } from '../kit/taken.ts'
import { writeAnswer } from '../kit/write-answer.ts'
import { readOpenAiTool } from './openai-messages.ts'
import { OPENAI_PATHS } from './openai.ts'

/** The HTTP requests that open OpenAI's realtime conversations. No message repeats their instructions. */
export const openaiRealtimeSession: Dialect = {
  name: 'openai-realtime-session',

  claims(request) {
    const isThere = OPENAI_PATHS['openai-realtime-session'].test(pathOf(request))
    if (request.method !== 'POST' || !isThere) return false
    const { session, model } = bodyOf(request)
    return session !== undefined || typeof model === 'string'
  },

  readPrompt(request) {
    const operation = 'realtime_session'
    const { provider } = readEnvelope(request, operation)
    const body = bodyOf(request)
    const own = sessionOf(body)
    const session = new Taken(own)
    const model = session.text('model')
    const messages = takenMessage(session, 'instructions', 'system')
    const tools = session.list('tools').map(readOpenAiTool)
    const { session: _, ...others } = body
    const { left } = session
    const parameters = own === body ? left : flatten({ ...others, session: left }, 'session')
    return {
      provider,
      operation,
      ...(model === undefined ? {} : { model }),
      parameters,
      messages,
      tools,
    }
  },

  readCompletion(response) {
    const { incomplete, ...completion } = readAnswer(response, { read })
    const { body, cut, status } = response
    // The answer to a call is a session description (SDP), and not JSON.
    if (body.kind !== 'text' || !/^v=0\r?\n/.test(body.text) || status >= 400)
      return incomplete ? { ...completion, incomplete } : completion
    return { ...completion, text: body.text, ...(cut ? { incomplete: true } : {}) }
  },

  writeCompletion: write,
}

/** The session: an object under its name, JSON in a field of a form, or the body itself. */
function sessionOf(body: JsonObject): JsonObject {
  const { session } = body
  if (session === undefined) return body
  return typeof session === 'string' ? objectOf(tryParseJson(session)) : objectOf(session)
}

function read(body: JsonObject): Partial<Completion> {
  const id = stringOf(objectOf(body.session).id) ?? stringOf(body.id)
  return { text: id ?? '' }
}

function write(completion: Completion, request: WireRequest): WireResponse {
  const session = { ...sessionOf(bodyOf(request)), id: completion.text }
  const whole = jsonObject({ value: 'ek_written', expires_at: 0, session })
  return writeAnswer(completion, { whole })
}
