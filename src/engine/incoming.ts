import { type Context, createContext, Script } from 'node:vm'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { CassetteError } from '../errors.ts'
import { isContainer, type JsonValue, parseJson, tryReadJson } from '../json/json-value.ts'
import {
  type FoundBase64,
  hashBase64,
  isPicture,
  markOfBase64,
  markOfPicture,
} from '../prompt/base64.ts'
import { CallIds, type CallPlaces, markCallIds } from '../prompt/call-ids.ts'
import {
  type CanonicalAddress,
  canonicalBody,
  type CanonicalContent,
  type CanonicalReading,
  type CanonicalRequest,
  hashRequest,
} from '../prompt/canonical.ts'
import { sha256 } from '../prompt/sha256.ts'
import { compileRules } from '../prompt/volatile-rules.ts'
import { loadVolatile } from '../prompt/load-volatile.ts'
import type { VolatileValue, VolatileValues } from '../prompt/volatile.ts'
import { canonicalHeaders } from '../providers/asking-headers.ts'
import { CALLS, canonicalAddress } from '../providers/compared-parts.ts'
import { type Body, jsonOf } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'
import { eventHeaders, type Frame, payloadOf } from '../wire/amazon-frames.ts'
import { MAY_BE_NUMBERED, holdsText } from '../text/holds-text.ts'
import { withPlainCredentials } from '../secrets/restore-plain-values.ts'

export { comparableTo } from './imported.ts'

/** The headers of a frame of bytes. That of a text has none. */
export const OF_BYTES = { 'content-type': 'application/octet-stream' }

/** A request in the forms that matching needs. Each form is computed on first use. */
export interface Incoming {
  /**
   * The request as sent, with its secrets: compared, never stored or shown. It is compared before anything is redacted,
   * since a request with a credential was recorded with a placeholder, and one without is the same redacted or not.
   */
  readonly sent: WireRequest
  /** The request as stored, with secrets redacted. */
  readonly wire: WireRequest
  /** The canonical form for people, not the one that is hashed: long base64 is a short mark, properties have names. */
  readonly canonical: CanonicalRequest
  /** The request before it on the same socket. */
  readonly before?: Incoming
  /** The hash of the request before it on the same socket. */
  readonly after?: string
  /** The same request in another form, for a comparison with one of which parts are unknown. */
  inForm(wire: WireRequest, before?: Incoming): Incoming
  /** The prompt hash. */
  readonly hash: string
  /** The prompt hash without the rules for volatile values, as cassettes show it. */
  readonly plainHash: string
  /** The volatile values in it, in the order of their numbers. */
  readonly volatile: readonly VolatileValue[]
  /** The pictures in it, in the order of the canonical form. */
  readonly pictures: readonly FoundBase64[]
  /** The prompt hash without the content of the pictures. */
  readonly hashBesidePictures: string
}

export interface RequestReading {
  /** The rules for values that may vary between runs. */
  volatile?: readonly VolatileRule[]
  /** The request before it on the same socket. */
  before?: Incoming
  /** Redacts secrets. */
  redact?: (wire: WireRequest) => WireRequest
}

const NO_RULES: readonly VolatileRule[] = []

/**
 * Reads a request, recorded or live. Recorded requests are hashed anew, so a stored hash is never trusted. Properties
 * of the result can throw CassetteError `invalid-json` for a body nested too deeply, `invalid-option` if a rule fails.
 */
export function readIncoming(wire: WireRequest, reading: RequestReading = {}): Incoming {
  return new ReadRequest(wire, reading)
}

/** The prompt hash, and the values found on the way. */
interface Hashed {
  hash: string
  volatile: readonly VolatileValue[]
}

/** The canonical form for people, and the pictures in it. */
interface Readable {
  canonical: CanonicalRequest
  pictures: readonly FoundBase64[]
}

class ReadRequest implements Incoming {
  readonly sent: WireRequest
  readonly before?: Incoming
  readonly #reading: RequestReading
  #wire?: WireRequest
  #hashed?: Hashed
  #readable?: Readable
  #hashBesidePictures?: string

  constructor(sent: WireRequest, reading: RequestReading) {
    this.sent = sent
    this.before = reading.before
    this.#reading = reading
  }

  get wire(): WireRequest {
    return (this.#wire ??= this.#reading.redact?.(this.sent) ?? this.sent)
  }

  get after(): string | undefined {
    return this.sent.method === 'SEND' ? this.before?.hash : undefined
  }

  get hash(): string {
    return this.#readHash().hash
  }

  get plainHash(): string {
    return compileRules(this.#rules).none ? this.hash : hashRequest(this.#form({}))
  }

  get volatile(): readonly VolatileValue[] {
    return this.#readHash().volatile
  }

  get canonical(): CanonicalRequest {
    return this.#read().canonical
  }

  get pictures(): readonly FoundBase64[] {
    return this.#read().pictures
  }

  get hashBesidePictures(): string {
    return (this.#hashBesidePictures ??= hashRequest(
      this.#form({ volatile: this.#newValues(), replace: markOfPicture }),
    ))
  }

  #readHash(): Hashed {
    return (this.#hashed ??= this.#hash())
  }

  #hash(): Hashed {
    const volatile = this.#newValues()
    return { hash: hashRequest(this.#form({ volatile })), volatile: volatile?.found ?? [] }
  }

  #read(): Readable {
    return (this.#readable ??= this.#readForPeople())
  }

  #readForPeople(): Readable {
    const pictures: FoundBase64[] = []
    const replace = (text: string): string | undefined => {
      const found = hashBase64(text)
      if (found && isPicture(found)) pictures.push(found)
      return found && markOfBase64(found)
    }
    const canonical = this.#form({ volatile: this.#newValues(), replace, named: true })
    return { canonical, pictures }
  }

  inForm(wire: WireRequest, before = this.before): Incoming {
    return new ReadRequest(wire, { ...this.#reading, before, redact: undefined })
  }

  get #rules(): readonly VolatileRule[] {
    return this.#reading.volatile ?? NO_RULES
  }

  #newValues(): VolatileValues | undefined {
    const rules = compileRules(this.#rules)
    const isPlain = rules.none && !holdsText(this.wire, MAY_BE_NUMBERED)
    return isPlain ? undefined : new (loadVolatile().VolatileValues)(rules)
  }

  #form(reading: CanonicalReading): CanonicalRequest {
    const run = (): CanonicalRequest => canonicalRequest(this.wire, reading, this.after)
    return compileRules(this.#rules).unbounded ? runBounded(run, this.#rules) : run()
  }
}

/** A request with marks in the place of the ids of its calls; the same one where it has none. */
export function markCalls(wire: WireRequest): WireRequest {
  const value = jsonOf(wire.body)
  const marked = value === undefined ? value : markCallIds(value, CALLS)
  return marked === undefined || marked === value
    ? wire
    : { ...wire, body: { kind: 'json', value: marked, layout: {} } }
}

function canonicalRequest(
  { method, url, headers: sent, imported, body }: WireRequest,
  reading: CanonicalReading,
  after: string | undefined,
): CanonicalRequest {
  const counting = sent ? canonicalHeaders(sent) : []
  const { volatile } = reading
  const headers = volatile ? counting.map((one) => volatile.numberIn(one, ['headers'])) : counting
  const unordered = imported?.respelled
  return {
    method,
    ...markAddress(canonicalAddress(url), volatile),
    ...(headers.length > 0 ? { headers } : {}),
    ...(after === undefined ? {} : { after }),
    ...canonicalContent(
      withPlainCredentials(body),
      unordered ? { ...reading, unordered } : reading,
    ),
  }
}

/** An address with marks in the place of its volatile values. */
function markAddress(address: CanonicalAddress, volatile?: VolatileValues): CanonicalAddress {
  if (!volatile) return address
  const { path, query } = address
  const mark = (text: string): string => volatile.replaceIn(text, ['url'])
  return { ...address, path: mark(path), ...(query ? { query: query.map(mark) } : {}) }
}

/** Bodies that are not JSON compare by their content, and never equal a JSON body. */
function canonicalContent(body: Body, reading: CanonicalReading): CanonicalContent {
  const callIds = new CallIds()
  const canonical = (value: JsonValue, calls?: CallPlaces): JsonValue =>
    canonicalBody(value, { ...reading, callIds, calls })
  switch (body.kind) {
    case 'json':
      return { body: canonical(body.value, CALLS) }
    case 'text': {
      const value = readIfJson(body.text)
      return typeof value === 'string'
        ? { text: canonical(value) }
        : { body: canonical(value, CALLS) }
    }
    case 'lines':
      return {
        lines: body.lines.map((line) =>
          canonical(typeof line === 'string' ? readIfJson(line) : line, CALLS),
        ),
      }
    case 'form':
      return { form: body.parts.map((part) => canonical(part)) }
    case 'frames':
      return { frames: body.frames.map((frame) => canonical(contentOfFrame(frame))) }
    case 'bytes':
      return { bytes: sha256(body.bytes, 'base64url') }
    default:
      return {}
  }
}

/** The headers and the payload of a frame, however it is stored. */
function contentOfFrame(frame: Frame): JsonValue {
  // Only a frame that could not be read is bytes.
  if ('bytes' in frame) return { ...frame }
  const headers = 'headers' in frame ? frame.headers : eventHeaders(frame.event)
  return { headers, data: readIfJson(payloadOf(frame)) }
}

/**
 * The object or the list that a text is as JSON; else the text. A prompt that is nested too deeply must not pass as a
 * text that merely looks like JSON.
 */
function readIfJson(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    const value = parseJson(text)
    return !isContainer(value) || tryReadJson(text)?.isTwice ? text : value
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** Ordinary rules take milliseconds; longer than this, a test would only seem to hang. */
const LIMIT_MS = 2_000

const script = new Script('work()')

/** Created for the first rule of the user, as it takes a millisecond. */
let context: Context | undefined

/**
 * Runs rules of the user's own, and ends them when they take too long, as some regular expressions do.
 *
 * @throws CassetteError `invalid-option` that names the rules.
 */
export function runBounded<T>(work: () => T, rules: readonly unknown[]): T {
  let result: { value: T } | undefined
  context ??= createContext({})
  context.work = (): void => void (result = { value: work() })
  try {
    script.runInContext(context, { timeout: LIMIT_MS })
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new CassetteError(
      'invalid-option',
      `The volatile rules took more than ${LIMIT_MS / 1_000} seconds for one request: ${rules.map(nameOf).join(', ')}.\n` +
        'A regular expression that repeats a repetition, such as (a+)+, can take for ever. Write it without.',
    )
  }
  return result!.value
}

function nameOf(rule: unknown): string {
  return typeof rule === 'function' ? rule.name || 'an unnamed function' : String(rule)
}
