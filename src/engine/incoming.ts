import { dialectOf } from '../dialects/index.ts'
import type { Dialect } from '../dialects/kit/dialect.ts'
import { endpointOf } from '../dialects/kit/providers.ts'
import { isJsonObject, parseJson, type JsonValue } from '../json/json-value.ts'
import type { FoundBase64 } from '../prompt/base64.ts'
import { CallIds, markCallIds } from '../prompt/call-ids.ts'
import { FORM_PART, LINE, NOWHERE, REQUEST } from '../prompt/call-places.ts'
import {
  canonicalBody,
  hashRequest,
  type CanonicalReading,
  type CanonicalRequest,
} from '../prompt/canonical.ts'
import { picturesAmong, withoutPictures } from '../prompt/picture.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { VolatileRule } from '../config/volatile-rule.ts'
import { runBounded } from '../prompt/bounded.ts'
import { VolatileValues, type VolatileValue } from '../prompt/volatile.ts'
import { compileRules } from '../prompt/volatile-rules.ts'
import { sha256 } from '../prompt/sha256.ts'
import { remember, rememberFor } from '../remember.ts'
import { blankServers } from '../secrets/known-fields.ts'
import { asOlder } from '../wire/as-older.ts'
import { canonicalHeaders } from '../wire/asking-headers.ts'
import { jsonOf, type Body } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'
import { readAsked } from './read-asked.ts'

/** A request in every form that the engine needs: as it travels, as it compares, as it reads. */
export interface Incoming {
  wire: WireRequest
  /** With every text in full. */
  canonical: CanonicalRequest
  /** The hash of what was sent before on the same socket. */
  after?: string
  /** The same as releases recorded it that kept less of a request; itself where that is all. */
  asOlder: Incoming
  /** The prompt hash. */
  hash: string
  /** The volatile values in it, in the order of their numbers. */
  volatile: readonly VolatileValue[]
  /** The pictures in it, in the order of the canonical form. */
  pictures: readonly FoundBase64[]
  /** The prompt hash without what the pictures show. */
  hashBesidePictures: string
  dialect: Dialect
  prompt: Prompt
  /** The prompt as it compares: with marks in the place of the ids of calls. */
  compared: Prompt
}

const NO_RULES: readonly VolatileRule[] = []

/**
 * Reads a request, recorded or live: both go this way, so a stored hash is never trusted.
 *
 * @param volatile what may vary between runs
 * @param after the hash of what was sent before on the same socket
 * @param afterAsOlder the same as older releases recorded it
 * @throws CassetteError `invalid-json` when the body is nested too deeply, `invalid-option` when a rule fails.
 */
export function readIncoming(
  wire: WireRequest,
  volatile: readonly VolatileRule[] = NO_RULES,
  after?: string,
  afterAsOlder: string | undefined = after,
): Incoming {
  return new ReadRequest(wire, volatile, after, afterAsOlder)
}

/** A request in the form in which it compares with a recorded one. */
export function besides(known: Incoming, asked: Incoming): Incoming {
  return known.wire.older ? asked.asOlder : asked
}

/** Reads a live request as {@link readIncoming} does, and once, though it is looked up as it stands and as it is redacted. */
export function readLive(wire: WireRequest, volatile: readonly VolatileRule[]): Incoming {
  return readerUnder(volatile)(wire)
}

const readerUnder = rememberFor((volatile: readonly VolatileRule[]) =>
  rememberFor((wire: WireRequest) => readIncoming(wire, volatile)),
)

/** A replay asks for the hash alone, so all else is read when something asks for it. */
class ReadRequest implements Incoming {
  readonly wire: WireRequest
  readonly after?: string
  readonly hash: string
  readonly volatile: readonly VolatileValue[]
  readonly #rules: readonly VolatileRule[]
  readonly #compact: CanonicalRequest
  readonly #base64: FoundBase64[] = []
  #canonical?: CanonicalRequest
  readonly #afterAsOlder?: string
  #asOlder?: Incoming
  #dialect?: Dialect
  #prompt?: Prompt
  #compared?: Prompt
  #pictures?: readonly FoundBase64[]

  constructor(
    wire: WireRequest,
    rules: readonly VolatileRule[],
    after: string | undefined,
    afterAsOlder: string | undefined,
  ) {
    this.wire = wire
    this.after = after
    this.#afterAsOlder = afterAsOlder
    this.#rules = rules
    const values = this.#newValues()
    this.#compact = this.#read({ volatile: values, base64: this.#base64, compact: true })
    this.hash = hashRequest(this.#compact)
    this.volatile = values?.found ?? []
  }

  get canonical(): CanonicalRequest {
    return (this.#canonical ??= this.#read({ volatile: this.#newValues() }))
  }

  get dialect(): Dialect {
    return (this.#dialect ??= dialectOf(this.wire))
  }

  get prompt(): Prompt {
    return (this.#prompt ??= readAsked(this.dialect, this.wire))
  }

  get asOlder(): Incoming {
    return (this.#asOlder ??= this.#readAsOlder())
  }

  get compared(): Prompt {
    return (this.#compared ??= this.#readCompared())
  }

  get pictures(): readonly FoundBase64[] {
    return (this.#pictures ??= picturesAmong(this.#base64))
  }

  get hashBesidePictures(): string {
    const body = withoutPictures(this.#compact.body, this.pictures)
    return hashRequest({ ...this.#compact, body })
  }

  #readCompared(): Prompt {
    const wire = markCalls(this.wire)
    return wire === this.wire ? this.prompt : readAsked(this.dialect, wire)
  }

  #readAsOlder(): Incoming {
    const kept = asOlder(this.wire)
    const body = blankServers(kept.body)
    const after = this.#afterAsOlder
    if (kept === this.wire && body === kept.body && after === this.after) return this
    return new ReadRequest({ ...kept, body }, this.#rules, after, after)
  }

  #newValues(): VolatileValues | undefined {
    const rules = compileRules(this.#rules)
    return rules.none ? undefined : new VolatileValues(rules)
  }

  #read(reading: CanonicalReading): CanonicalRequest {
    const run = (): CanonicalRequest => canonicalRequest(this.wire, reading, this.after)
    return compileRules(this.#rules).unbounded ? runBounded(run, this.#rules) : run()
  }
}

/** A request with marks in the place of the ids of its calls; the same one where it has none. */
export function markCalls(wire: WireRequest): WireRequest {
  const value = jsonOf(wire.body)
  const marked = value === undefined ? value : markCallIds(value, REQUEST)
  return marked === undefined || marked === value
    ? wire
    : { ...wire, body: { kind: 'json', value: marked, layout: {} } }
}

function canonicalRequest(
  { method, url, headers, body }: WireRequest,
  reading: CanonicalReading,
  after: string | undefined,
): CanonicalRequest {
  return {
    method,
    ...addressOf(url),
    ...(headers ? { headers: canonicalHeaders(headers) } : {}),
    ...(after === undefined ? {} : { after }),
    body: canonicalContent(body, reading),
  }
}

/** What counts of an address. */
const addressOf = remember((url): Pick<CanonicalRequest, 'endpoint' | 'path' | 'query'> => {
  const address = new URL(url)
  return {
    endpoint: endpointOf(address),
    path: address.pathname,
    query: [...address.searchParams].map(([name, value]) => `${escape(name)}=${value}`).sort(),
  }
})

/** A name may hold what ends it. */
function escape(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('=', '%3D')
}

/** Bodies that are not JSON compare by their content, and never equal a JSON body. */
function canonicalContent(body: Body, reading: CanonicalReading): JsonValue {
  const callIds = new CallIds()
  const canonical = (value: JsonValue, place = REQUEST): JsonValue =>
    canonicalBody(value, { ...reading, callIds, place })
  const value = body.kind === 'text' ? parseIfJson(body.text) : jsonOf(body)
  if (value !== undefined) {
    return isJsonObject(value) ? canonical(value) : ['json', canonical(value)]
  }
  switch (body.kind) {
    case 'text':
      return ['text', reading.volatile ? canonical(body.text) : body.text]
    case 'lines':
      return ['lines', ...body.lines.map((line) => canonical(line, LINE))]
    case 'form':
      return ['form', ...body.parts.map((part) => canonical(part, FORM_PART))]
    case 'frames':
      return ['frames', canonical(body.frames as JsonValue[], NOWHERE)]
    case 'bytes':
      return ['bytes', sha256(body.bytes)]
    default:
      return null
  }
}

/** A prompt that is nested too deeply must not pass as a text that merely looks like JSON. */
function parseIfJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
