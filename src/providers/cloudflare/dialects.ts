import { isJsonObject, tryParseJson, type JsonObject } from '../../json/json-value.ts'
import type { WireRequest } from '../../wire/message.ts'
import { type AnswerFormat, readAnswer } from '../kit/read-answer.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf } from '../kit/envelope.ts'
import { arrayOf, jsonObject, objectOf, stringOf } from '../fields.ts'
import { chatUsage, readOpenAiUsage } from '../openai/openai-chat.ts'
import { readOpenAiCall, readOpenAiMessage, readOpenAiTool } from '../openai/openai-messages.ts'
import { Remainder } from '../kit/remainder.ts'
import { takePrompt } from '../kit/taken.ts'
import { splitWords, writeAnswer } from '../kit/write-answer.ts'
import { CLOUDFLARE_PATHS } from './cloudflare.ts'
import { placesBelow } from '../kit/places.ts'
import { CHAT_RESPONSE } from '../openai/openai-places.ts'

/** Texts of the models that Cloudflare runs. An answer never has a finish reason. */
const cloudflareRun: Dialect = {
  name: 'cloudflare-run',
  places: [...CHAT_RESPONSE, ...placesBelow(['result'], CHAT_RESPONSE), ['p', 'ignored']],

  claims(request) {
    if (request.method !== 'POST' || modelOf(request) === undefined) return false
    const { messages, prompt } = bodyOf(request)
    return typeof prompt === 'string' || arrayOf(messages).length > 0
  },

  readPrompt(request) {
    const { model, ...prompt } = takePrompt(request, 'chat', (body) => {
      const text = body.text('prompt')
      const said = text === undefined ? [] : [{ role: 'user', content: text }]
      return {
        messages: [...body.list('messages'), ...said].map(readOpenAiMessage),
        tools: body.list('tools').map(readOpenAiTool),
      }
    })
    const parameters = model === undefined ? prompt.parameters : { model, ...prompt.parameters }
    return { ...prompt, model: modelOf(request)!, parameters }
  },

  readCompletion: (response) => readAnswer(response, FORMAT),

  writeCompletion(completion, request) {
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
      const pieces = splitWords(text).map((response): JsonObject => ({ response }))
      const events = [...pieces, { response: '', ...ending }].map((data) => ({ data }))
      const end = incomplete ? [] : [{ data: '[DONE]' }]
      return writeAnswer(completion, { events: [...events, ...end] })
    }
    const result = { response: text, ...ending }
    return writeAnswer(completion, { whole: { result, success: true, errors: [], messages: [] } })
  },
}

function modelOf(request: WireRequest): string | undefined {
  return CLOUDFLARE_PATHS['cloudflare-run'].exec(pathOf(request).replace('%40', '@'))?.[1]
}

const FORMAT: AnswerFormat = {
  read(body) {
    const { response, ...result } = objectOf(body.result)
    const calls = arrayOf(result.tool_calls).map((call) => {
      const isBare = isJsonObject(call) && call.function === undefined
      const whole = isBare ? { id: call.id ?? null, function: call } : call
      return readOpenAiCall(whole, '', new Remainder())
    })
    const failures = arrayOf(body.errors).map((error) => stringOf(objectOf(error).message))
    return {
      // Structured output comes as a value.
      text: stringOf(response) ?? (isJsonObject(response) ? JSON.stringify(response) : ''),
      toolCalls: calls.flatMap((call) => call ?? []),
      usage: readOpenAiUsage(result.usage),
      error: failures.filter(Boolean).join('\n') || undefined,
    }
  },

  join(events) {
    const response = events.map(({ data }) => stringOf(data.response) ?? '').join('')
    const tool_calls = events.flatMap(({ data }) => arrayOf(data.tool_calls))
    const usage = Object.assign({}, ...events.map(({ data }) => objectOf(data.usage)))
    return {
      body: { result: { response, tool_calls, usage } },
      whole: events.some(({ text }) => text === '[DONE]'),
    }
  },
}

export const cloudflareDialects: readonly Dialect[] = [cloudflareRun]
