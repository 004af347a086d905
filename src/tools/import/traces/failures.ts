import { isJsonObject, type JsonValue } from '../../../json/json-value.ts'
import { numberIn } from './held.ts'
import { parsed, stringIn } from './messages.ts'
import type { TraceSpan } from './span.ts'

/** The error with which a call ended, if it did; without a status where the trace does not tell it. */
export function failureOf(
  span: Pick<TraceSpan, 'attributes' | 'events'> & { failure: string | undefined },
): { error: string; status: number | undefined } | undefined {
  const { attributes, events, failure } = span
  const exception = events.find(({ name }) => name === 'exception')?.attributes ?? {}
  const thrown = stringIn(exception, 'exception.message')
  const type = stringIn(attributes, 'error.type') ?? stringIn(exception, 'exception.type')
  if (failure === undefined && thrown === undefined && type === undefined) return undefined
  const told = failure || thrown || type || ''
  const status =
    numberIn(attributes['http.response.status_code']) ??
    statusIn(told) ??
    STATUSES.find(([pattern]) => pattern.test(`${type} ${told}`))?.[1]
  return { error: messageIn(told), status }
}

/** `429 Rate limit reached`, also behind the name of the error. */
function statusIn(text: string): number | undefined {
  const [, status] = /^(?:[\w.]*Error:? ?(?:code: )?)?([45]\d\d)\b/i.exec(text) ?? []
  return status === undefined ? undefined : Number(status)
}

/** The names of errors in SDKs, and the words of providers. */
const STATUSES: ReadonlyArray<[RegExp, number]> = [
  [/rate.?limit|too many requests|resource_exhausted|ThrottlingException/i, 429],
  [/overloaded/i, 529],
  [/authentication|unauthorized|invalid.?api.?key/i, 401],
  [/permission.?denied|forbidden/i, 403],
  [/not.?found/i, 404],
  [/bad.?request|invalid.?request/i, 400],
  [/unprocessable/i, 422],
  [/internal.?server|api_error/i, 500],
  [/service.?unavailable/i, 503],
]

/** The words of the provider, out of the body of its answer and of what the SDK has put before it. */
function messageIn(told: string): string {
  const plain = told
    .split('\n')[0]!
    .replace(/^(?:[\w.]*Error:? )?(?:(?:code: )?[45]\d\d (?:- )?)?/i, '')
  return wordsIn(parsed(plain)) ?? plain
}

function wordsIn(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined
  return stringIn(value, 'message') ?? wordsIn(value.error ?? null)
}
