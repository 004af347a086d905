import type { WrittenResponse } from '../../cassette/cassette.ts'
import { defined, unlessEmpty } from '../../providers/fields.ts'
import { cutStream, unpack } from './bodies.ts'
import type {
  ForeignExchange,
  ForeignFile,
  ForeignRecording,
  ForeignRequest,
  ForeignResponse,
  ReadingOptions,
} from './foreign.ts'
import { ForeignValue } from './foreign-value.ts'
import { PART_BYTES, sizeOf } from './known-recording.ts'
import { isHidden, redactedIn } from './redacted.ts'
import { readUtf8 } from '../../wire/utf8.ts'

type Headers = Array<[name: string, value: string]>

/** A body as a file holds it: its bytes, and whether they were spelled anew. */
export interface HeldBody {
  bytes: Uint8Array
  isRespelled?: boolean
}

/** A request as a file holds it, before it is looked through. */
interface HeldRequest {
  method?: string
  url?: string
  headers?: Headers
  body?: HeldBody
  rules?: string
  place: ForeignValue
}

/** An answer as a file holds it. */
export interface HeldResponse {
  status: number
  headers: Headers
  body: Uint8Array
  place: ForeignValue
}

/** Makes one recording of what a file holds: the one way in which all formats read requests and answers. */
export class Collector {
  recording: ForeignRecording
  readonly #options: ReadingOptions
  /** The bytes of all bodies in the recording. */
  #size = 0

  constructor(file: ForeignFile, format: string, options: ReadingOptions) {
    this.recording = { file: file.name, format, exchanges: [], leftOut: new Map() }
    this.#options = options
  }

  /** Whether the recording is as large as a part of a file should be. */
  get isFull(): boolean {
    return this.#size > PART_BYTES
  }

  /** Gives the recording, and begins the next part of the file. */
  take(): ForeignRecording {
    const taken = this.recording
    this.recording = { ...taken, exchanges: [], leftOut: new Map() }
    this.#size = 0
    return taken
  }

  /** Counts something that is in the file and becomes no exchange. */
  leaveOut(what: string): void {
    const { leftOut } = this.recording
    leftOut.set(what, (leftOut.get(what) ?? 0) + 1)
  }

  /**
   * Adds an exchange.
   *
   * @param answer reads the answer; a text says why there is none, and the exchange is left out
   */
  add(
    held: HeldRequest,
    answer: () => HeldResponse | WrittenAnswer | string,
    beside: Pick<ForeignExchange, 'time' | 'durationMs'> = {},
  ): void {
    const request = readRequest(held)
    const kept = this.#options.keep?.(request) ?? true
    if (kept !== true) return this.leaveOut(kept)
    const found = answer()
    if (typeof found === 'string') return this.leaveOut(found)
    const response = 'written' in found ? responseOf(found) : readResponse(found)
    if (isOfWebRtc(response))
      return this.leaveOut('a call of WebRTC, whose audio does not go over HTTP')
    // One that the network broke off has no final answer.
    if (response.status < 200) return this.leaveOut('a call without an answer')
    const exchange = defined({ request, response, ...beside })
    this.#size += sizeOf(exchange)
    this.recording.exchanges.push(exchange)
  }
}

/** An answer that says what a model says, and has no bytes. */
export interface WrittenAnswer {
  written: WrittenResponse
  headers?: Headers
}

function responseOf({ written, headers = [] }: WrittenAnswer): ForeignResponse {
  const status = written.status ?? (written.error === undefined ? 200 : 400)
  return { status, headers, body: new Uint8Array(), written }
}

function readRequest({ method, url, headers, body, rules, place }: HeldRequest): ForeignRequest {
  const sent = headers?.filter(([, value]) => !isHidden(value))
  // No request has none: its tool has left them out.
  const kept = sent?.length ? cleanHeaders(sent) : undefined
  const bytes = body && unpack(body.bytes, contentTypeOf(headers ?? []), place)
  const redacted = redactedIn({ url, body: bytes })
  return defined({
    method: method?.replace(/^:/, '').toUpperCase(),
    url,
    headers: kept,
    body: bytes,
    isRespelled: body?.isRespelled || undefined,
    redacted: unlessEmpty(redacted),
    rules,
  })
}

function readResponse({ status, headers, body, place }: HeldResponse): ForeignResponse {
  const type = contentTypeOf(headers)
  return {
    status,
    headers: cleanHeaders(headers),
    body: cutStream(unpack(body, type, place), type),
  }
}

/** Whether an answer is that to an offer of WebRTC: a description of a session, whatever its content type. */
function isOfWebRtc({ body }: ForeignResponse): boolean {
  return !Array.isArray(body) && /^v=0\r?\no=/.test(Buffer.from(body.subarray(0, 10)).toString())
}

/** Headers that say how a body was sent, which is no more as it was, and those of HTTP/2 that are none. */
const OF_TRANSPORT = /^(?:content-encoding|content-length|transfer-encoding|:.*)$/i

function cleanHeaders(headers: Headers): Headers {
  return headers.filter(([name]) => !OF_TRANSPORT.test(name))
}

/** The value of a header; empty if there is none. */
export function headerIn(headers: Headers, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}

/** The headers of an answer, with its type where the file only tells it elsewhere: clients ask for it before they read. */
export function withType(headers: Headers, type: string | undefined): Headers {
  const isTold = headerIn(headers, 'content-type') !== ''
  return isTold || !type?.includes('/') ? headers : [...headers, ['content-type', type]]
}

function contentTypeOf(headers: Headers): string {
  return headerIn(headers, 'content-type')
}

/**
 * Headers, in whichever way a tool writes them: an object of texts or of lists, a list of names and values in turn, of
 * pairs, or of objects.
 */
export function foreignHeaders(place: ForeignValue): Headers {
  if (!place.isList) {
    const fields = place.fields()
    // The headers of Python's requests: an object of pairs, by the names in lower case.
    const [alone] = fields.length === 1 ? fields : []
    if (alone?.[0] === '_store') return pairsIn(alone[1].fields().map(([, pair]) => pair))
    return fields.flatMap(([name, value]) => valuesOf(name, value))
  }
  const items = place.items()
  if (items.every(({ isText }) => isText)) {
    if (items.length % 2 === 1) throw place.wrong('a value for every name')
    return items.flatMap((name, index) =>
      index % 2 === 0 ? valuesOf(name.text(), items[index + 1]!) : [],
    )
  }
  return pairsIn(items)
}

function pairsIn(items: readonly ForeignValue[]): Headers {
  return items.flatMap((item) => {
    if (!item.isList) return valuesOf(item.at('name').text(), item.either('value', 'values'))
    const [name, value] = item.items()
    if (!name || !value) throw item.wrong('a name and a value')
    return valuesOf(name.text(), value)
  })
}

function valuesOf(name: string, value: ForeignValue): Headers {
  if (value.isAbsent) return []
  if (value.isList) return value.items().flatMap((item) => valuesOf(name, item))
  // Cookies are the one header that can be there several times; tools that join them break the line between.
  const texts = /^set-cookie$/i.test(name) ? textOfHeader(value).split('\n') : [textOfHeader(value)]
  return texts.map((text) => [name, text])
}

function textOfHeader(value: ForeignValue): string {
  if (value.value instanceof Uint8Array)
    return readUtf8(value.value) ?? Buffer.from(value.value).toString('latin1')
  return typeof value.value === 'boolean'
    ? String(value.value)
    : value.isText
      ? value.text()
      : String(value.number())
}

/** An ISO 8601 time of any spelling of it; `undefined` for what is none. */
export function readTime(place: ForeignValue): string | undefined {
  const { value } = place
  if (value === undefined) return undefined
  const time = new Date(typeof value === 'string' ? value : place.number())
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
