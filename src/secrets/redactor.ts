import type { RedactRule } from '../config/redact-rule.ts'
import { findSpans } from '../json/find-in-json.ts'
import type { FindAcross } from '../json/read-as-one.ts'
import { sameJson } from '../json/same-json.ts'
import { replaceSpans, type FindSpans } from '../json/text-span.ts'
import { jsonOf, readBody, textOf, type Body } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceTexts } from '../wire/replace-texts.ts'
import { findByRules } from './find-by-rules.ts'
import { findKnown, type KnownFinder } from './find-known.ts'
import { holdsAcross } from './holds-across.ts'
import { redactFields } from './known-fields.ts'
import { knownInEnvironment, knownInRequest, type KnownValue } from './known-values.ts'
import { findTokens, mayHoldToken } from './jwt.ts'

/** Replaces the secrets in one exchange before it is stored, and before it is compared. */
export interface Redactor {
  request(wire: WireRequest): WireRequest
  response(wire: WireResponse): WireResponse
}

/** A stream of events that was sent under another type; every SDK reads it all the same. */
const STREAM = /^(?:event|data|id): ?/

/** The finder of the last redactor; most requests have the same known values. */
let last: { key: string; known: KnownFinder } | undefined

/**
 * The redactor of a request. Known credentials become `<REDACTED:NAME>`, whatever their value is in this environment,
 * so that a prompt that holds one agrees with its recording.
 *
 * @param headers the headers of the request, as they were sent
 * @param url its whole address
 * @param rules the user's own rules
 */
export function redactorFor(
  headers: Iterable<[string, string]>,
  url: URL,
  rules: readonly RedactRule[],
  env: Record<string, string | undefined> = process.env,
): Redactor {
  const known = knownFinder([...knownInEnvironment(env), ...knownInRequest(headers, url)])
  const find: FindSpans = (text) => [
    ...known.find(text),
    ...findTokens(text),
    ...findByRules(text, rules),
  ]
  const mayHold = (text: string): boolean =>
    rules.length > 0 || mayHoldToken(text) || known.mayHold(text)
  // The user's rules apply to single texts: two adjacent items of a list could match by accident.
  const across: FindAcross = (texts) =>
    findSpans(texts.join(''), (text) => [...known.find(text), ...findTokens(text)])
  const redactBody = (body: Body): Body => replaceIn(body, find, across)
  return {
    request(wire) {
      const url = redactUrl(wire.url, find)
      const headers = wire.headers && redactHeaders(wire.headers, find)
      // Fields last: of a header that holds a known value, no digest is stored.
      const body = redactFields(redactRequestBody(wire.body, redactBody, mayHold))
      const isSame =
        url === wire.url && body === wire.body && sameJson(headers ?? null, wire.headers ?? null)
      return isSame ? wire : { ...wire, url, ...(headers ? { headers } : {}), body }
    },
    response({ headers, body, ...rest }) {
      return {
        ...rest,
        headers: redactHeaders(headers, find),
        body: redactBody(redactFields(body)),
      }
    },
  }
}

/** Replaces the credentials of the environment, and signed tokens, in a text or in JSON by `<REDACTED:NAME>`. */
export function redactKnown(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const known = knownFinder(knownInEnvironment(env))
  return replaceSpans(
    text,
    findSpans(text, (piece) => [...known.find(piece), ...findTokens(piece)]),
  )
}

function knownFinder(values: readonly KnownValue[]): KnownFinder {
  const key = values.map(({ name, value }) => `${name}=${value}`).join('\n')
  if (last?.key !== key) last = { key, known: findKnown(values) }
  return last.known
}

/** Every replay searches its requests, so most get only a cheap check. */
function redactRequestBody(
  body: Body,
  redactBody: (body: Body) => Body,
  mayHold: (text: string) => boolean,
): Body {
  if (body.kind === 'empty') return body
  const value = jsonOf(body)
  const isPlain = body.kind === 'json' || body.kind === 'text'
  const isOnlySeen =
    isPlain && !mayHold(textOf(body)) && (value === undefined || !holdsAcross(value, mayHold))
  return isOnlySeen ? body : redactBody(body)
}

function replaceIn(body: Body, find: FindSpans, across: FindAcross): Body {
  if (body.kind === 'text' && STREAM.test(body.text)) {
    const stream = readBody(Buffer.from(body.text), 'text/event-stream')
    return { kind: 'text', text: textOf(replaceTexts(stream, find, across)) }
  }
  if (body.kind !== 'bytes') return replaceTexts(body, find, across)
  const text = Buffer.from(body.bytes).toString('latin1')
  const replaced = replaceSpans(text, find(text))
  return replaced === text ? body : { kind: 'bytes', bytes: Buffer.from(replaced, 'latin1') }
}

function redactUrl(href: string, find: FindSpans): string {
  const url = new URL(href)
  const found = [find(url.pathname), find(url.search)] as const
  if (found.every((spans) => spans.length === 0)) return href
  url.pathname = replaceSpans(url.pathname, found[0])
  url.search = replaceSpans(url.search, found[1])
  return url.href
}

function redactHeaders(headers: Record<string, string>, find: FindSpans): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, replaceSpans(value, find(value))]),
  )
}
