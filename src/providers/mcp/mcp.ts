import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { isMcpAddress } from '../../wire/address.ts'
import { readAnswer } from '../kit/read-answer.ts'
import { describeFile } from '../content.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, readEnvelope } from '../kit/envelope.ts'
import { objectOf, stringOf } from '../fields.ts'

/** Requests to MCP servers and their answers. No model writes them. */
export const mcp: Dialect = {
  name: 'mcp',

  claims({ method, url }) {
    return method === 'POST' && isMcpAddress(url)
  },

  readPrompt(request) {
    const { method, params, result } = bodyOf(request)
    const operation = stringOf(method) ?? ''
    const { name, arguments: args, ...more } = objectOf(params)
    const isCall = operation === 'tools/call' && typeof name === 'string'
    // Other fields of a call are parameters, beside the arguments of the tool.
    const given = isCall ? (args ?? {}) : (result ?? params ?? {})
    const read = ['method', isCall || result === undefined ? 'params' : 'result']
    const { parameters, ...envelope } = readEnvelope(request, operation, read)
    const part = { type: 'tool_call', name: isCall ? name : operation, arguments: given } as const
    return {
      ...envelope,
      parameters: { ...parameters, ...(isCall ? more : {}) },
      messages: [{ role: 'user', parts: [part] }],
      tools: [],
    }
  },

  readCompletion(response) {
    // A message of the client that needs no answer gets status 202 without a body.
    if (response.status === 202 && response.body.kind === 'empty')
      return { text: '', toolCalls: [], finishReasons: [] }
    return readAnswer(response, {
      read({ result }) {
        const text = textOfResult(objectOf(result))
        const isError = objectOf(result).isError === true
        return isError ? { error: text } : { text }
      },
      join(events) {
        const { data = {} } = events.findLast(({ data }) => data.method === undefined) ?? {}
        const { result, error } = data
        return { body: data, whole: isJsonObject(result) || objectOf(error).code !== undefined }
      },
    })
  },
}

/** The texts of a result; any other content stands as JSON. */
function textOfResult(result: JsonObject): string {
  const { content, structuredContent } = result
  if (!Array.isArray(content)) return Object.keys(result).length > 0 ? JSON.stringify(result) : ''
  if (content.length === 0 && structuredContent !== undefined)
    return JSON.stringify(structuredContent)
  return content.map(textOfBlock).join('\n')
}

function textOfBlock(block: JsonValue): string {
  const { type, text, data, mimeType } = objectOf(block)
  if (type === 'text' && typeof text === 'string') return text
  if (!isJsonObject(block) || typeof data !== 'string') return JSON.stringify(block)
  return describeFile(stringOf(mimeType), Buffer.byteLength(data, 'base64'))
}
