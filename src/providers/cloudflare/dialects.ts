import { isJsonObject, tryParseJson, type JsonObject } from '../../json/json-value.ts'
import type { Completion } from '../../prompt/completion.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { readAnswer, type AnswerEvent, type JoinedAnswer } from '../kit/read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf, readEnvelope } from '../kit/envelope.ts'
import { arrayOf, jsonObject, listsIn, objectOf, stringOf } from '../fields.ts'
import { chatUsage, readOpenAiUsage } from '../openai/openai-chat.ts'
import { readOpenAiCall, readOpenAiMessage, readOpenAiTool } from '../openai/openai-messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { CLOUDFLARE_PATHS } from './cloudflare.ts'
import { mergePlaces, placesBelow } from '../kit/renewed-places.ts'
import { CHAT_RENEWED } from '../openai/openai-renewed.ts'

/** Texts of the models that Cloudflare runs. An answer never has a finish reason. */
const cloudflareRun: Dialect = {
  name: 'cloudflare-run',
  renewed: mergePlaces(CHAT_RENEWED, placesBelow('result', CHAT_RENEWED), { figure: ['p'] }),

  claims(request) {
    if (request.method !== 'POST' || modelOf(request) === undefined) return false
    const { messages, prompt } = bodyOf(request)
    return typeof prompt === 'string' || arrayOf(messages).length > 0
  },

  readPrompt(request) {
    const body = bodyOf(request)
    const { prompt } = body
    const lists = listsIn(body, 'messages', 'tools')
    const said = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : []
    const read = said.length > 0 ? [...lists, 'prompt'] : lists
    const { model, ...envelope } = readEnvelope(request, 'chat', read)
    const named: JsonObject = model === undefined ? {} : { model }
    return {
      ...envelope,
      model: modelOf(request)!,
      parameters: { ...named, ...envelope.parameters },
      messages: [...arrayOf(body.messages), ...said].map(readOpenAiMessage),
      tools: arrayOf(body.tools).map(readOpenAiTool),
    }
  },

  readCompletion: (response) => readAnswer(response, { read, join }),

  writeCompletion,
}

function modelOf(request: WireRequest): string | undefined {
  return CLOUDFLARE_PATHS['cloudflare-run'].exec(pathOf(request).replace('%40', '@'))?.[1]
}

function read(body: JsonObject): Completion {
  const result = objectOf(body.result)
  const { response } = result
  const calls = arrayOf(result.tool_calls).map((call) => {
    const isBare = isJsonObject(call) && call.function === undefined
    return readOpenAiCall(
      isBare ? { id: call.id ?? null, function: call } : call,
      '',
      new Remainder(),
    )
  })
  const failures = arrayOf(body.errors).map((error) => stringOf(objectOf(error).message))
  return {
    // Structured output comes as a value.
    text: stringOf(response) ?? (isJsonObject(response) ? JSON.stringify(response) : ''),
    toolCalls: calls.flatMap((call) => call ?? []),
    finishReasons: [],
    usage: readOpenAiUsage(result.usage),
    error: failures.filter(Boolean).join('\n') || undefined,
  }
}

function join(events: AnswerEvent[]): JoinedAnswer {
  let response = ''
  const tool_calls = events.flatMap(({ data }) => arrayOf(data.tool_calls))
  let usage: JsonObject = {}
  for (const { data } of events) {
    response += stringOf(data.response) ?? ''
    usage = { ...usage, ...objectOf(data.usage) }
  }
  return {
    body: { result: { response, tool_calls, usage } },
    whole: events.some(({ text }) => text === '[DONE]'),
  }
}

function writeCompletion(completion: Completion, request: WireRequest): WireResponse {
  const { text, toolCalls, incomplete } = completion
  const calls = toolCalls.map(({ id, name, arguments: args }) => {
    const value = typeof args === 'string' ? (tryParseJson(args) ?? args) : args
    return jsonObject({ id, name, arguments: value })
  })
  const ending = {
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...chatUsage(completion.usage),
  }
  if (bodyOf(request).stream === true) {
    const pieces = [
      ...splitWords(text).map((response) => ({ response })),
      { response: '', ...ending },
    ]
    const events = pieces.map((data) => ({ data }))
    const end = incomplete ? [] : [{ data: '[DONE]' }]
    return writeAnswer(completion, { events: [...events, ...end] })
  }
  const whole = { result: { response: text, ...ending }, success: true, errors: [], messages: [] }
  return writeAnswer(completion, { whole })
}

export const cloudflareDialects: readonly Dialect[] = [cloudflareRun]
