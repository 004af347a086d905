import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { readText, textOf } from './body.ts'
import { mcpAddress } from './address.ts'
import type { WireRequest, WireResponse } from './message.ts'

/** A message of MCP: a request has a method and an id, a notification a method, an answer an id. */
export type McpMessage = JsonObject

/** The type of an answer that is more than one message. */
const LINES = 'application/x-ndjson'

/** Names in `_meta`, and their beginnings, that the protocol and its transports have given a meaning. */
export const OF_PROTOCOL = {
  names: ['progressToken', 'traceparent', 'tracestate', 'baggage'],
  prefix: 'io.modelcontextprotocol/',
}

/** The messages of a text, of which batches have several; `undefined` for all that is not JSON-RPC. */
export function parseMcp(text: string): McpMessage[] | undefined {
  const value = tryParseJson(text)
  const messages = Array.isArray(value) ? value : [value]
  const all = messages.filter(
    (one): one is McpMessage => isJsonObject(one) && '2.0' === one.jsonrpc,
  )
  return messages.length > 0 && all.length === messages.length ? all : undefined
}

/** Whether a message is a request, which expects an answer. */
export function isAsking(message: McpMessage): boolean {
  return typeof message.method === 'string' && message.id !== undefined
}

/** Whether a message answers a request. */
export function isAnswering(message: McpMessage): boolean {
  return message.method === undefined && message.id !== undefined
}

/**
 * The message of a client as a request, as it is stored and compared: the same over each transport, at the name of its
 * server.
 */
export function mcpRequest(server: string, message: McpMessage): WireRequest {
  const body = readText(JSON.stringify(mcpContent(message)), false)
  return { method: 'POST', url: mcpAddress(server), body }
}

/** The messages with which a server answers a request, as a response that is stored. */
export function mcpAnswer(messages: readonly McpMessage[]): WireResponse {
  const lines = messages.map((message) => JSON.stringify(message))
  const isOne = lines.length === 1
  const text = isOne ? lines[0]! : lines.map((line) => `${line}\n`).join('')
  return {
    status: 200,
    headers: { 'content-type': isOne ? 'application/json' : LINES },
    body: readText(text),
  }
}

/** The messages in a response of {@link mcpAnswer}. */
export function mcpMessagesOf({ body }: WireResponse): McpMessage[] {
  const lines = textOf(body).split('\n')
  const messages = lines.map(tryParseJson).filter((value) => isJsonObject(value))
  return messages.map((message) => ({ jsonrpc: '2.0', ...message }))
}

/** A message without the values that differ in every run: its id, its progress token, the version of a client. */
export function mcpContent({
  id: _id,
  jsonrpc: _version,
  params,
  ...message
}: McpMessage): McpMessage {
  if (!isJsonObject(params)) return params === undefined ? message : { ...message, params }
  if (message.method === 'initialize') {
    const { capabilities = {} } = params
    return { ...message, params: { capabilities } }
  }
  const { _meta: meta, ...rest } = params
  const kept = Object.entries(isJsonObject(meta) ? meta : {}).filter(
    ([name]) => !OF_PROTOCOL.names.includes(name) && !name.startsWith(OF_PROTOCOL.prefix),
  )
  if (kept.length > 0) rest._meta = Object.fromEntries(kept)
  if (message.method === 'notifications/progress') delete rest.progressToken
  return Object.keys(rest).length > 0 ? { ...message, params: rest } : message
}

/** The token of a progress notification, or the token with which a request asks for progress. */
export function progressTokenOf({ method, params }: McpMessage): JsonValue | undefined {
  if (!isJsonObject(params)) return undefined
  if (method === 'notifications/progress') return params.progressToken
  return isJsonObject(params._meta) ? params._meta.progressToken : undefined
}

/** Gives a progress notification its token; returns any other message as it is. */
export function withProgressToken(message: McpMessage, token: JsonValue | undefined): McpMessage {
  if (message.method !== 'notifications/progress' || token === undefined) return message
  return { ...message, params: { progressToken: token, ...(message.params as McpMessage) } }
}
