import { bytesOfJson, bytesOfText, fromBase64 } from '../bodies.ts'
import {
  Collector,
  type HeldBody,
  type HeldResponse,
  foreignHeaders,
  readTime,
} from '../collect.ts'
import type { ForeignFormat } from '../foreign.ts'
import { dataIn, hasFields } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/**
 * The family of VCR: Ruby's (`http_interactions`), Python's vcrpy with its serializers, Go's go-vcr 1 to 4, and what
 * Datadog's test agent makes of them: one exchange a file.
 */
export const vcr: ForeignFormat = {
  name: 'vcr',
  tools: 'vcrpy, LangChain, Ruby VCR, go-vcr, dd-apm-test-agent',
  hint: /^(?:(?:http_)?interactions|requests|responses):|"(?:http_)?interactions"\s*:/m,

  recognise(file) {
    const data = dataIn(file, /^(?:(?:http_)?interactions|requests|responses):/m)
    if (!hasFields(data)) return false
    if (isPairAlone(data) || isTwoLists(data)) return true
    const interactions = data.http_interactions ?? data.interactions
    if (interactions === undefined) return false
    if (!Array.isArray(interactions)) return 'its interactions are no list'
    return interactions.every(isPair) || 'an interaction has no request or no response'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const isJson = /^\s*[[{]/.test(file.head)
    const data = new ForeignValue(file.name, isJson ? file.json() : file.yaml())
    for (const pair of pairsIn(data)) addPair(pair, collector)
    return [collector.recording]
  },
}

/** A request and its response. */
interface Pair {
  request: ForeignValue
  response: ForeignValue
  time?: string
}

function pairsIn(data: ForeignValue): Pair[] {
  if (hasFields(data.value) && isTwoLists(data.value)) {
    const responses = data.at('responses').items()
    const requests = data.at('requests').items()
    return requests.map((request, index) => ({ request, response: responses[index]! }))
  }
  const interactions = data.either('http_interactions', 'interactions')
  const pairs = isPairAlone(data.value) ? [data] : interactions.items()
  return pairs.map((pair) => ({
    request: pair.at('request'),
    response: pair.at('response'),
    time: readTime(pair.at('recorded_at')),
  }))
}

/** Requests and responses apart, as serializers of their own get them from vcrpy: LangChain's is one. */
function isTwoLists({ requests, responses }: Record<string, unknown>): boolean {
  if (!Array.isArray(requests) || !Array.isArray(responses)) return false
  if (requests.length !== responses.length) return false
  return requests.every((request, index) =>
    isPair({ request, response: responses[index] as unknown }),
  )
}

/** A request and a response. The fixtures of other tools have these too, but no address. */
function isPair(value: unknown): boolean {
  if (!hasFields(value) || !hasFields(value.request) || !hasFields(value.response)) return false
  return 'uri' in value.request || 'url' in value.request
}

/** One exchange, as Datadog's test agent writes it: the status is an object. Many other files have a request and a response. */
function isPairAlone(value: unknown): boolean {
  return (
    hasFields(value) && isPair(value) && hasFields((value.response as { status?: unknown }).status)
  )
}

function addPair({ request, response, time }: Pair, collector: Collector): void {
  const body = bodyOf(request)
  if (body === 'unknown')
    collector.leaveOut('the body of a request, of which the file holds an object and no bytes')
  collector.add(
    {
      method: request.at('method').textIfAny() ?? 'GET',
      url: addressOf(request),
      headers: foreignHeaders(request.at('headers')),
      body: body === 'unknown' ? undefined : body,
      place: request,
    },
    () => answerOf(response),
    { time, durationMs: readDuration(response.at('duration')) },
  )
}

/** go-vcr keeps the path alone of what a server received, and its host beside. */
function addressOf(request: ForeignValue): string {
  const url = request.either('uri', 'url').text()
  const host = request.at('host').value
  return url.startsWith('/') && typeof host === 'string' && host !== ''
    ? `https://${host}${url}`
    : url
}

function answerOf(response: ForeignValue): HeldResponse | string {
  const body = bodyOf(response)
  if (body === 'unknown') return 'an answer whose body the file holds as an object and not as bytes'
  return {
    status: statusOf(response),
    headers: foreignHeaders(response.at('headers')),
    body: body?.bytes ?? new Uint8Array(),
    place: response,
  }
}

/** Go writes `code`, and a text as `status`; the others an object; vcrpy's client for httpx a number. */
function statusOf(response: ForeignValue): number {
  const status = response.at('status')
  if (status.isObject) return status.at('code').status()
  return response.either('code', 'status_code', 'status').status()
}

/**
 * The body of a request or of a response.
 *
 * @returns undefined for one that the file does not hold, and `unknown` for one that is no data
 */
function bodyOf(message: ForeignValue): HeldBody | 'unknown' | undefined {
  const parsed = message.at('parsed_body')
  if (!parsed.isAbsent) return { bytes: bytesOfJson(parsed.value), isRespelled: true }
  const body = message.either('body', 'content')
  // Without a body, vcrpy writes `null`, and its serializer for JSON nothing.
  if (body.isAbsent) return { bytes: new Uint8Array() }
  if (body.isText) return { bytes: bytesOf(body) }
  if (body.isList) return 'unknown'
  // How Python writes a stream of bytes.
  const [state] = body.at('state').isList ? body.at('state').items() : []
  if (state) return state.isText ? { bytes: bytesOf(state) } : 'unknown'
  const encoded = body.at('base64_string')
  if (!encoded.isAbsent) return { bytes: fromBase64(encoded.text(), encoded) }
  const string = body.at('string')
  if (!string.isAbsent) return { bytes: bytesOf(string) }
  const isEmpty = 'string' in body.object() || 'encoding' in body.object()
  return isEmpty ? { bytes: new Uint8Array() } : 'unknown'
}

/** Datadog's test agent writes what is no text behind this. */
const BASE64_PREFIX = 'base64:'

function bytesOf(place: ForeignValue): Uint8Array {
  if (place.value instanceof Uint8Array) return place.value
  const text = place.text()
  if (!text.startsWith(BASE64_PREFIX)) return bytesOfText(text)
  return fromBase64(text.slice(BASE64_PREFIX.length), place)
}

/** The units of a duration as Go writes it, in milliseconds. */
const UNITS: Record<string, number> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000_001,
}

/** `1m2.5s`, or a number of nanoseconds; undefined for none. */
function readDuration(place: ForeignValue): number | undefined {
  const { value } = place
  if (typeof value === 'number') return value * UNITS.ns!
  if (typeof value !== 'string' || value === '') return undefined
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)]
  if (parts.length === 0) return undefined
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0)
}
