import { dialectOf } from '../dialects/index.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { endpointOf } from '../dialects/providers.ts'
import { isJsonObject, parseJson, type JsonValue } from '../json/json-value.ts'
import type { FoundBase64 } from '../prompt/base64.ts'
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
import { remember } from '../remember.ts'
import { jsonOf, type Body } from '../wire/body.ts'
import type { WireRequest } from '../wire/message.ts'

/** A request in every form that the engine needs: as it travels, as it compares, as it reads. */
export interface Incoming {
  wire: WireRequest
  /** With every text in full. */
  canonical: CanonicalRequest
  /** The hash of what was sent before on the same socket. */
  after?: string
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
}

const NO_RULES: readonly VolatileRule[] = []

/**
 * Reads a request, recorded or live: both go this way, so a stored hash is never trusted.
 *
 * @param volatile what may vary between runs
 * @param after the hash of what was sent before on the same socket
 * @throws CassetteError `invalid-json` when the body is nested too deeply, `invalid-option` when a rule fails.
 */
export function readIncoming(
  wire: WireRequest,
  volatile: readonly VolatileRule[] = NO_RULES,
  after?: string,
): Incoming {
  const rules = compileRules(volatile)
  const newValues = (): VolatileValues | undefined =>
    rules.none ? undefined : new VolatileValues(rules)
  const read = (reading: CanonicalReading): CanonicalRequest => {
    const run = (): CanonicalRequest => canonicalRequest(wire, reading, after)
    return rules.unbounded ? runBounded(run, volatile) : run()
  }
  const values = newValues()
  const base64: FoundBase64[] = []
  const compact = read({ volatile: values, base64, compact: true })
  let canonical: CanonicalRequest | undefined
  let dialect: Dialect | undefined
  let prompt: Prompt | undefined
  let pictures: readonly FoundBase64[] | undefined
  return {
    wire,
    after,
    hash: hashRequest(compact),
    volatile: values?.found ?? [],
    // A replay asks for none of these, so they are read when something does.
    get canonical() {
      return (canonical ??= read({ volatile: newValues() }))
    },
    get dialect() {
      return (dialect ??= dialectOf(wire))
    },
    get prompt() {
      return (prompt ??= this.dialect.readPrompt(wire))
    },
    get pictures() {
      return (pictures ??= picturesAmong(base64))
    },
    get hashBesidePictures() {
      const body = withoutPictures(compact.body, this.pictures)
      return hashRequest({ ...compact, body })
    },
  }
}

function canonicalRequest(
  { method, url, headers, body }: WireRequest,
  reading: CanonicalReading,
  after: string | undefined,
): CanonicalRequest {
  return {
    method,
    ...addressOf(url),
    ...(headers
      ? {
          headers: Object.entries(headers)
            .map((pair) => pair.join(': '))
            .sort(),
        }
      : {}),
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
    query: [...address.searchParams].map(([name, value]) => `${name}=${value}`).sort(),
  }
})

/** Bodies that are not JSON compare by their content, and never equal a JSON body. */
function canonicalContent(body: Body, reading: CanonicalReading): JsonValue {
  const canonical = (value: JsonValue): JsonValue => canonicalBody(value, reading)
  const value = body.kind === 'text' ? parseIfJson(body.text) : jsonOf(body)
  if (value !== undefined) {
    return isJsonObject(value) ? canonical(value) : ['json', canonical(value)]
  }
  switch (body.kind) {
    case 'text':
      return ['text', reading.volatile ? canonical(body.text) : body.text]
    case 'lines':
      return ['lines', ...body.lines.map(canonical)]
    case 'form':
      return ['form', ...body.parts.map((part) => canonical(part))]
    case 'frames':
      return ['frames', canonical(body.frames as JsonValue[])]
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
