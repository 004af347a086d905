import zlib from 'node:zlib'
import { STAND_IN_KEY } from '../providers/stand-in-keys.ts'
import { ownEnvironment } from '../real/own-environment.ts'
import { sha256 } from '../prompt/sha256.ts'
import { type Body, readText } from '../wire/body.ts'
import { readRequestBody } from '../wire/read-body.ts'
import { keepAskingHeaders } from '../providers/asking-headers.ts'
import type { NamedHeaders, WireRequest } from '../wire/message.ts'
import { keptAsItIs, keepUrl } from '../wire/url.ts'
import { loadRedactor } from './notes/load-redactor.ts'
import { credentialName } from './credential-name.ts'
import { isSecret, knownInEnvironment, knownInRequest } from './known-values.ts'

/** The headers of a request, their names in lower case. */
export type SentHeaders = NamedHeaders & Iterable<[name: string, value: string]>

/** A request as it is sent. */
export interface OutgoingRequest {
  method: string
  url: string
  headers: SentHeaders
  /** A text where the client sent one without a content coding; else the bytes as they are sent. */
  body: string | ArrayBuffer
}

/** The parts of a request that are stored and compared. */
export function wireRequest({ method, url, headers, body }: OutgoingRequest): WireRequest {
  const digest = digestIn(url, headers)
  return {
    method,
    url: keptUrl(url, digest),
    ...keepAskingHeaders(headers, digest, url),
    body: typeof body === 'string' ? readText(body, false) : readBytes(body, headers),
  }
}

function readBytes(body: ArrayBuffer, headers: SentHeaders): Body {
  const bytes = decodeContent(new Uint8Array(body), headers.get('content-encoding'))
  return readRequestBody(bytes, headers.get('content-type') ?? '')
}

/** The decoders of HTTP's content codings; Node has one for zstd from 22.15 on. */
const DECODERS: Record<string, ((bytes: Uint8Array) => Uint8Array) | undefined> = {
  br: zlib.brotliDecompressSync,
  deflate: zlib.inflateSync,
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  zstd: zlib.zstdDecompressSync,
}

/** Decodes a compressed body; returns it unchanged if it cannot be decoded. */
export function decodeContent(
  bytes: Uint8Array,
  contentEncoding: string | null | undefined,
): Uint8Array {
  if (!contentEncoding || bytes.length === 0) return bytes
  // The last coding named was applied last.
  const codings = contentEncoding.toLowerCase().split(',').reverse()
  try {
    return codings.reduce((content, coding) => decode(content, coding.trim()), bytes)
  } catch {
    return bytes
  }
}

function decode(bytes: Uint8Array, coding: string): Uint8Array {
  if (coding === 'identity') return bytes
  const decoder = DECODERS[coding]
  if (!decoder) throw new TypeError(`No decoder for the content coding ${coding}`)
  return decoder(bytes)
}

/** Shorter values are words that a variable has by chance. */
const MIN_LENGTH = 8

/** What stands for a credential in a value of which a digest is stored. */
const HIDDEN = 'REDACTED'

/** A value can be encoded as often as this: as base64, or for an address. */
const MAX_DEPTH = 3

/** The address of a request as it is stored and compared. */
export function keptUrl(url: string, digest: Digest = digestIn(url)): string {
  return (
    keptAsItIs(url).kept ??
    keepUrl(new URL(url), (value, name) => {
      const digested = digest(value)
      return digested === sha256(value).slice(0, 12) && loadRedactor().isHarmless(name, value)
        ? value
        : digested
    })
  )
}

type Digest = (value: string) => string

/**
 * What stands for the values of a request that are compared, and not stored. Credentials in them do not count: other
 * machines have others.
 */
export function digestIn(url: string, headers: Iterable<[string, string]> = []): Digest {
  let known: string[] | undefined
  return (value) => {
    if (isOwn(value)) return HIDDEN
    known ??= credentialsIn(url, headers)
    const rest = withoutCredentials(value, known)
    return rest === HIDDEN ? HIDDEN : sha256(rest).slice(0, 12)
  }
}

function credentialsIn(url: string, headers: Iterable<[string, string]>): string[] {
  const sent = knownInRequest(headers, new URL(url))
  const known = [...knownInEnvironment(process.env, sent), ...sent].map(({ value }) => value.trim())
  // The longest first: it may hold another.
  return [STAND_IN_KEY, ...known].sort((one, other) => other.length - one.length)
}

function withoutCredentials(text: string, known: readonly string[], depth = MAX_DEPTH): string {
  const rest = known.reduce((open, secret) => open.replaceAll(secret, HIDDEN), text)
  if (depth === 0) return rest
  for (const decoded of [fromPercents(rest), fromBase64(rest)]) {
    const open = decoded === rest ? rest : withoutCredentials(decoded, known, depth - 1)
    if (open !== decoded) return open
  }
  return rest
}

function fromPercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fromBase64(text: string): string {
  // A plus that is not encoded is a space in a parameter.
  const run = text.replaceAll(' ', '+')
  return /^[\w+/-]{12,}={0,2}$/.test(run) ? Buffer.from(run, 'base64').toString() : text
}

/** True for a credential of this machine, whatever the name of the parameter: other machines have another value. */
function isOwn(value: string): boolean {
  if (value === STAND_IN_KEY) return true
  if (value.length < MIN_LENGTH) return false
  const env = ownEnvironment(process.env)
  return Object.keys(env).some((name) => env[name] === value && isSecretIn(name, value))
}

function isSecretIn(name: string, value: string): boolean {
  const kind = credentialName(name)
  return kind === 'credential' || (kind === 'perhaps' && isSecret(name, value))
}
