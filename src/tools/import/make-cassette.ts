import {
  type Cassette,
  isRecorded,
  type WrittenExchange,
  type WrittenResponse,
} from '../../cassette/cassette.ts'
import { WITHOUT_BODY } from '../../cassette/patterns.ts'
import { idOfPlace } from '../../cassette/written.ts'
import type { RedactRules } from '../../config/option-values.ts'
import { readIncoming } from '../../engine/incoming.ts'
import { isJsonObject, isRawNumber, type JsonValue } from '../../json/json-value.ts'
import { isOrdered } from '../../json/key-order.ts'
import { defined, unlessEmpty } from '../../providers/fields.ts'
import { describeTurns, type KeptTurn } from '../../recording/describe.ts'
import type { FoundSecret } from '../../secrets/find-secrets.ts'
import { NUMBERED, placeholdersIn } from '../../text/placeholders.ts'
import type { Redacting } from '../../secrets/redactions.ts'
import { redactorFor } from '../../secrets/redactor.ts'
import { type OutgoingRequest, wireRequest } from '../../secrets/wire-request.ts'
import { jsonOf, textOf } from '../../wire/body.ts'
import { keepHeaders, readBody } from '../../wire/read-body.ts'
import { COUNTING_HEADERS, HEADER_VALUE } from '../../wire/headers.ts'
import { type Imported, isUnasked, UNKNOWN_HOST, type UnknownPart } from '../../wire/imported.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { type Address, addressOf } from './address.ts'
import type { ForeignExchange, ForeignRecording, ForeignRequest } from './foreign.ts'
import { CREDENTIAL, withoutCredentials } from './without-credentials.ts'

/** How recordings become cassettes. */
export interface Making {
  env: Readonly<Record<string, string | undefined>>
  /** What the user wants to have replaced, beside credentials. */
  redact?: RedactRules
  /** Leaves out the headers of answers that differ each time, such as the ids of requests. */
  fewHeaders?: boolean
  now: Date
}

/** A cassette made of recordings, and what a person should know of it. */
export interface MadeCassette {
  cassette: Cassette
  /** At how many places a credential was replaced. */
  credentials: number
  /** The credential that could not be replaced, so that the cassette must not be written. */
  secret?: FoundSecret
}

/**
 * Makes a cassette of recordings of other tools, as if its test had recorded them: the same headers and values are kept,
 * credentials are replaced, and streams are cut at their events.
 *
 * @param title `<test file> > <suite> > <test>`
 */
export function makeCassette(
  recordings: readonly ForeignRecording[],
  title: string,
  making: Making,
): MadeCassette {
  return withoutCredentials(making, (rules) => assemble(recordings, title, making, rules))
}

function assemble(
  recordings: readonly ForeignRecording[],
  conversationId: string,
  making: Making,
  rules: RedactRules,
): Pick<MadeCassette, 'cassette' | 'credentials'> {
  let credentials = 0
  const redacting: Redacting = {}
  const count = (placeholders: number): void => void (credentials += placeholders)
  const all = recordings.flatMap(({ format, exchanges }) =>
    exchanges.map((exchange) => ({
      exchange,
      turn: turnOf(exchange, format, rules, redacting, making, count),
    })),
  )
  const exchanges = describeTurns(all.map(({ turn }) => turn))
  const dates = datesOf(
    all.map(({ exchange }) => exchange),
    making,
  )
  return { cassette: { conversationId, ...dates, exchanges }, credentials }
}

/** @param count is told how many placeholders stand where there was something else */
function turnOf(
  { request, response, durationMs }: ForeignExchange,
  format: string,
  rules: RedactRules,
  redacting: Redacting,
  { env, fewHeaders = false }: Making,
  count: (placeholders: number) => void,
): KeptTurn {
  const address = addressOf(request)
  // Other tools record the host by the address, and some redact the header in another way.
  const headers = namedHeaders(
    (request.headers ?? []).filter(([name]) => name.toLowerCase() !== 'host'),
  )
  const outgoing: OutgoingRequest = {
    method: address.method,
    url: address.url,
    headers,
    body: new Uint8Array(request.body ?? []).buffer,
  }
  const redactor = redactorFor(headers, new URL(address.url), rules, { ...env }, redacting)
  const sent = wireRequest(outgoing)
  const wire = redactor.request(sent)
  const answer = response.written
    ? asAnswer(request.rules, response.written)
    : answerOf(response, fewHeaders)
  const answered = redactor.response(answer)
  count(countIn(wire) - countIn(sent))
  count(countIn(answered) - countIn(answer))
  const incoming = readIncoming({ ...wire, ...marksOf(request, address, format, wire) })
  if (response.written) return writtenTurn(answered, incoming.wire)
  const took = Number.isFinite(durationMs) ? Math.max(0, Math.round(durationMs!)) : undefined
  return { incoming, response: answered, durationMs: took }
}

function countIn({ body, ...rest }: WireRequest | WireResponse): number {
  return (JSON.stringify(rest) + textOf(body)).match(/REDACTED/g)?.length ?? 0
}

/** What another tool wrote in its own words, as an answer of JSON, so that it is redacted as one. */
function asAnswer(rules: string | undefined, written: WrittenResponse): WireResponse {
  const body = readBody(Buffer.from(JSON.stringify({ rules, written })), 'application/json')
  return { status: 200, headers: {}, body }
}

/** An answer that another tool wrote in its own words, as a person writes one. */
function writtenTurn({ body, ...head }: WireResponse, request: WireRequest): WrittenExchange {
  const { rules, written } = jsonOf(body) as unknown as { rules?: string; written: WrittenResponse }
  const response = { ...head, body: { kind: 'empty' as const } }
  const [described] = describeTurns([{ incoming: readIncoming(request), response }])
  const { prompt } = described!
  const text = rules === undefined ? prompt.text : `${prompt.text}: ${rules}`
  return { id: idOfPlace(0), prompt: { ...prompt, text }, response: written, wire: { request } }
}

/** What the file does not tell of a request. */
function marksOf(
  { headers, body, isRespelled, redacted = [] }: ForeignRequest,
  { unknown }: Address,
  from: string,
  wire: WireRequest,
): Pick<WireRequest, 'imported'> {
  const type = namedHeaders(headers ?? []).get('content-type') ?? ''
  // Every client names the type of a body: without it, the tool recorded only some of the headers.
  const isWhole = headers && (type !== '' || !body?.length)
  const parts: UnknownPart[] = [
    ...unknown,
    ...(isWhole ? [] : ['headers' as const]),
    ...(body ? [] : ['body' as const]),
  ]
  const kind = kindOf(type)
  const texts = [
    ...redacted.filter((text) => text.length >= SHORTEST),
    // A run would not know what stood there.
    ...new Set(
      placeholdersIn(JSON.stringify([wire.url, wire.headers, wire.body]))
        .filter(({ name }) => name === CREDENTIAL || NUMBERED.test(name))
        .map(({ whole }) => whole),
    ),
  ]
  const mark: Imported = defined({
    from,
    unknown: unlessEmpty(parts),
    kind: body ? undefined : kind,
    respelled: (isRespelled && body && hasOrder(body)) || undefined,
    redacted: unlessEmpty(texts),
  })
  return Object.keys(mark).length > 1 ? { imported: mark } : {}
}

/** Whether a body of JSON has properties whose order counts. All else counts however it is spelled. */
function hasOrder(body: Uint8Array): boolean {
  const value = jsonOf(readBody(body))
  return value !== undefined && holdsOrder(value)
}

function holdsOrder(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsOrder)
  if (!isJsonObject(value) || isRawNumber(value)) return false
  return Object.entries(value).some(
    ([key, inner]) =>
      (isOrdered(key) && isJsonObject(inner) && Object.keys(inner).length > 1) || holdsOrder(inner),
  )
}

/** Shorter texts stand in many places. */
const SHORTEST = 3

function kindOf(type: string): Imported['kind'] {
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return 'json'
  return /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)
    ? 'form'
    : undefined
}

function answerOf(
  { status, headers, body }: ForeignExchange['response'],
  fewHeaders: boolean,
): WireResponse {
  const bytes = Array.isArray(body) ? Buffer.concat(body) : body
  const given = namedHeaders(headers)
  const kept = keepHeaders(given)
  if (fewHeaders)
    for (const name of Object.keys(kept)) if (!COUNTING_HEADERS.has(name)) delete kept[name]
  // Many tools keep no header, and then the pieces tell that it is a stream.
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  const isEvents = /^(?:data|event): ?\S/.test(start)
  const type = given.get('content-type') ?? (isEvents ? 'text/event-stream' : '')
  return {
    status,
    headers: kept,
    body: WITHOUT_BODY.includes(status) ? { kind: 'empty' } : readBody(bytes, type),
  }
}

/** Headers by their names in lower case, without values that no header can have. */
function namedHeaders(headers: ReadonlyArray<[name: string, value: string]>): Map<string, string> {
  const named = new Map<string, string>()
  for (const [name, value] of headers) {
    if (!HEADER_VALUE.test(value)) continue
    const key = name.toLowerCase()
    const before = named.get(key)
    named.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return named
}

/** When the answers were recorded, as the file says, or else as the providers say. */
function datesOf(
  exchanges: readonly ForeignExchange[],
  { now }: Making,
): Pick<Cassette, 'timestamp' | 'oldestAnswer'> {
  const times = exchanges.flatMap(({ time, response }) => {
    const said = time ?? namedHeaders(response.headers).get('date')
    const date = new Date(said ?? NaN)
    return Number.isNaN(date.getTime()) || date > now ? [] : date.toISOString()
  })
  const [oldest = now.toISOString()] = times.toSorted()
  const timestamp = times.toSorted().at(-1) ?? oldest
  return { timestamp, ...(oldest < timestamp ? { oldestAnswer: oldest } : {}) }
}

/** What is told of a cassette, in numbers. */
export interface CassetteFacts {
  exchanges: number
  /** Those whose answer is known by its bytes. */
  answered: number
  /** Those that answer an unknown prompt. */
  unasked: number
  /** The requests whose headers are unknown. */
  withoutHeaders: number
  /** The requests whose host is unknown. */
  placeless: number
  /** At how many places a credential was replaced. */
  credentials: number
}

/** What is told of a cassette that was not made. */
export const NO_FACTS: CassetteFacts = {
  exchanges: 0,
  answered: 0,
  unasked: 0,
  withoutHeaders: 0,
  placeless: 0,
  credentials: 0,
}

export function countFacts({ cassette: { exchanges }, credentials }: MadeCassette): CassetteFacts {
  const requests = exchanges.flatMap(({ wire }) => wire?.request ?? [])
  return {
    exchanges: exchanges.length,
    answered: exchanges.filter(isRecorded).length,
    unasked: requests.filter(isUnasked).length,
    withoutHeaders: requests.filter(({ imported }) => imported?.unknown?.includes('headers'))
      .length,
    placeless: requests.filter(({ url }) => new URL(url).hostname === UNKNOWN_HOST).length,
    credentials,
  }
}
