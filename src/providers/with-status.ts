import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import type { WireResponse } from '../wire/message.ts'

/** The names of errors by status, for providers that have them. */
const ANTHROPIC: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const GOOGLE: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
const OPENAI: Record<number, JsonObject> = {
  401: { code: 'invalid_api_key' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
}

/** Gives an error that a dialect wrote another status, and the provider's name for it. */
export function withStatus(response: WireResponse, status: number): WireResponse {
  const { body } = response
  const value = body.kind === 'json' ? body.value : undefined
  if (body.kind !== 'json' || !isJsonObject(value) || !isJsonObject(value.error))
    return { ...response, status }
  const error = { ...value.error, ...namesOf(value, value.error, status) }
  return { ...response, status, body: { ...body, value: { ...value, error } } }
}

function namesOf(body: JsonObject, error: JsonObject, status: number): JsonObject {
  if (typeof error.status === 'string')
    return { code: status, status: GOOGLE[status] ?? (status < 500 ? error.status : 'INTERNAL') }
  if (typeof error.type !== 'string') return {}
  if (body.type === 'error')
    return { type: ANTHROPIC[status] ?? (status < 500 ? error.type : 'api_error') }
  return OPENAI[status] ?? (status < 500 ? {} : { type: 'server_error' })
}
