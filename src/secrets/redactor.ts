import {
  type JsonObject,
  isContainer,
  isJsonObject,
  type JsonValue,
  parseJson,
} from '../json/json-value.ts'
import { fold, equal } from '../json/walk.ts'
import type { RedactOption } from '../config/option-values.ts'
import { findSpans, isJsonText } from '../json/find-in-json.ts'
import {
  type FindAcross,
  nearBorders,
  placeBelow,
  type PlacedText,
  readAsOne,
} from '../json/read-as-one.ts'
import { type FindSpans, replaceSpans, type TextSpan } from '../json/text-span.ts'
import { type Body, jsonOf, textOf } from '../wire/body.ts'
import { readBody } from '../wire/read-body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceTexts } from '../wire/replace-texts.ts'
import { findKnown, type KnownFinder } from './find/find-known.ts'
import { redactFields } from './find/known-fields.ts'
import { knownInEnvironment, knownInRequest, type KnownValue } from './known-values.ts'
import { loadRedactions, type Redacting } from './redactions.ts'
import type { MapCredential } from './find/server-places.ts'
import { loadLabels } from './notes/load-labels.ts'
import { mapUnknown } from './notes/unknown-values.ts'
import { sha256 } from '../prompt/sha256.ts'
import { holdsText, MAY_BE_PLACEHOLDER } from '../text/holds-text.ts'
import { findSigned, mayHoldSigned } from './rules/signed.ts'

/** Replaces the secrets in one exchange before it is stored, and before it is compared. */
export interface Redactor {
  request(wire: WireRequest): WireRequest
  response(wire: WireResponse): WireResponse
}

/** A stream of events that was sent under another type; every SDK reads it all the same. */
const STREAM = /^(?:event|data|id): ?/

/** The finders of the last redactors; most requests have the same known values, and what is kept of them has others. */
const recent = new Map<string, KnownFinder>()

/** How many of them are kept: each is large. */
const MAX_RECENT = 4

/**
 * The redactor of a request. Known credentials become `<REDACTED:NAME>`, whatever their value is in this environment,
 * so that a prompt that holds one agrees with its recording.
 *
 * @param headers the headers of the request, as they were sent
 * @param url its whole address
 * @param redact the user's own rules
 * @param of what has the placeholders
 */
export function redactorFor(
  headers: Iterable<[string, string]>,
  url: URL,
  redact: RedactOption,
  env: Record<string, string | undefined> = process.env,
  of: Redacting = {},
): Redactor {
  const own = redact.length !== 0 ? loadRedactions().readRedactRules(redact) : undefined
  const sent = knownInRequest(headers, url)
  const variables = knownInEnvironment(env, sent)
  const all = own?.withoutKept([...variables, ...sent]) ?? [...variables, ...sent]
  const known = knownFinder(all)
  const mayHoldOwn: MayHold = (text) => mayHoldSigned(text) || known.mayHold(text)
  const findOwn = whereItMay(mayHoldOwn, (text) => [...known.find(text), ...findSigned(text)])
  const byRules: FindSpans | undefined =
    own && own.rules.length > 0
      ? (text) => loadRedactions().findByRules(text, own.rules, of, findOwn)
      : undefined
  const findPlain: FindSpans = byRules ? (text) => [...findOwn(text), ...byRules(text)] : findOwn
  // Once only: what is replaced looks like a placeholder too.
  const find: FindSpans = (text) =>
    MAY_BE_PLACEHOLDER.test(text)
      ? [...loadRedactions().redactionsOf(of).findLiterals(text), ...findPlain(text)]
      : findPlain(text)
  const mayHold: MayHold = (text) =>
    findPlain !== findOwn || MAY_BE_PLACEHOLDER.test(text) || mayHoldOwn(text)
  // The user's rules apply to single texts: two adjacent items of a list could match by accident.
  const across: FindAcross = (texts) => findSpans(texts.join(''), findOwn)
  const redactBody = (body: Body): Body =>
    replaceEverywhere(replaceIn(body, find, across, known.find), findOwn, mayHoldOwn)
  return {
    request(wire) {
      const url = mayHold(wire.url) ? redactUrl(wire.url, findOwn, byRules) : wire.url
      // Of a configuration in a header, placeholders stand for the credentials already.
      const inHeaders = holdsText([...headers], MAY_BE_PLACEHOLDER) ? find : findPlain
      const kept = wire.headers && redactHeaders(wire.headers, inHeaders)
      // Fields last: of a header that holds a known value, no digest is stored.
      let label: MapCredential | undefined
      const redacted = redactRequestBody(wire.body, redactBody, mayHold)
      const body = redactFields(redacted, 'client', (...credential) => {
        label ??= loadLabels().labelCredentials(wire.body, variables)
        return label(...credential)
      })
      if (body !== wire.body) loadRedactions().noteGuessable(body, all, of)
      const isSame =
        url === wire.url && body === wire.body && equal(kept ?? null, wire.headers ?? null)
      return isSame ? wire : { ...wire, url, ...(kept ? { headers: kept } : {}), body }
    },
    response({ headers, body, ...rest }) {
      return {
        ...rest,
        headers: redactHeaders(headers, findPlain),
        // Fields last: their placeholders are no texts of the data.
        body: redactFields(redactAnswer(body, redactBody, mayHold), 'server'),
      }
    },
  }
}

/** Replaces the credentials of the environment, signed tokens and signatures in a text or in JSON by `<REDACTED:NAME>`. */
export function redactKnown(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return replaceSpans(text, findKnownIn(text, knownInEnvironment(env)))
}

/** Finds what {@link redactKnown} replaces. */
export function findKnownIn(text: string, values: readonly KnownValue[]): TextSpan[] {
  const known = knownFinder(values)
  const find = whereItMay(
    (piece) => mayHoldSigned(piece) || known.mayHold(piece),
    (piece) => [...known.find(piece), ...findSigned(piece)],
  )
  return findSpans(text, find)
}

/** A cheap check: if it is false, nothing is found in a text. */
type MayHold = (text: string) => boolean

/** Searches only texts that may hold something. */
function whereItMay(mayHold: MayHold, find: FindSpans): FindSpans {
  return (text) => (mayHold(text) ? find(text) : [])
}

function knownFinder(values: readonly KnownValue[]): KnownFinder {
  const key = values.map(({ name, value }) => `${name}=${value}`).join('\n')
  let known = recent.get(key)
  if (!known) {
    if (recent.size >= MAX_RECENT) recent.clear()
    recent.set(key, (known = findKnown(values)))
  }
  return known
}

/** Every replay searches its requests, so most get only a cheap check. */
function redactRequestBody(body: Body, redactBody: (body: Body) => Body, mayHold: MayHold): Body {
  if (body.kind === 'empty') return body
  const value = jsonOf(body)
  const isPlain = body.kind === 'json' || body.kind === 'text'
  if (!isPlain) return redactBody(body)
  const text = textOf(body)
  const isOnlySeen =
    !mayHold(text) && (value === undefined || !holdsAcross(value, mayHold, ESCAPED.test(text)))
  return isOnlySeen ? body : redactBody(body)
}

/** A character that JSON spells as it need not, or that nobody sees: it could hide what a text says. */
const ESCAPED = /\\[bfu/]/

/** A list of bytes in JSON, however short: several can be read as one. */
const BYTES = /\[\d{1,3}[,\]]|\{"0":\d/

/** Nearly every answer gets only a cheap check of all that it says, where it is an object. */
function redactAnswer(body: Body, redactBody: (body: Body) => Body, mayHold: MayHold): Body {
  if (body.kind !== 'json' || !isJsonObject(body.value)) return redactBody(body)
  const json = JSON.stringify(body.value)
  const isClean =
    !BYTES.test(json) && !mayHoldInJson(json, mayHold) && !holdsAcross(body.value, mayHold)
  return isClean ? body : redactBody(body)
}

/** Whether a text in JSON may hold something; true where a character could hide it. */
function mayHoldInJson(json: string, mayHold: MayHold): boolean {
  return ESCAPED.test(json) || mayHold(json)
}

function replaceIn(body: Body, find: FindSpans, across: FindAcross, findBytes: FindSpans): Body {
  if (body.kind === 'text' && STREAM.test(body.text)) {
    const stream = readBody(Buffer.from(body.text), 'text/event-stream')
    const text = textOf(replaceTexts(stream, find, across, findBytes))
    return text === textOf(stream) ? body : { kind: 'text', text }
  }
  if (body.kind !== 'bytes') return replaceTexts(body, find, across, findBytes)
  const text = Buffer.from(body.bytes).toString('latin1')
  const replaced = replaceSpans(text, find(text))
  return replaced === text ? body : { kind: 'bytes', bytes: Buffer.from(replaced, 'latin1') }
}

/** Replaces what is found in any string, and in any key, whatever the fields of the wire format are. */
function replaceEverywhere(body: Body, find: FindSpans, mayHold: MayHold): Body {
  if (body.kind === 'bytes') return body
  // The bytes in a form are no JSON.
  if (body.kind !== 'form' && !mayHoldInJson(JSON.stringify(body), mayHold)) return body
  return loadRedactions().mapStrings(body as JsonValue, (text) =>
    replaceSpans(text, find(text)),
  ) as Body
}

function redactUrl(href: string, find: FindSpans, byRules: FindSpans | undefined): string {
  // A value that is no credential of this machine is told apart by its digest, as ever. The digest of what a rule of the
  // user finds would give it away.
  const told = mapUnknown(href, (value) =>
    find(value).length > 0 ? sha256(value).slice(0, 12) : value,
  )
  const kept = byRules ? loadRedactions().replaceInUrl(told, byRules) : told
  const url = new URL(kept)
  const found = [find(url.pathname), find(url.search)] as const
  if (found.every((spans) => spans.length === 0)) return kept
  url.pathname = replaceSpans(url.pathname, found[0])
  url.search = replaceSpans(url.search, found[1])
  return url.href
}

function redactHeaders(headers: Record<string, string>, find: FindSpans): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, replaceSpans(value, find(value))]),
  )
}

/** The length of each border. The text by which a value is recognised is shorter. */
const NEAR = 64

/**
 * A cheap check of the borders of texts that are read as one: false if no value begins in one text and ends in
 * another. It may miss a value whose trace stands in a single text, which a check of that text finds. Every request
 * is checked, so no text is read in full.
 */
function holdsAcross(value: JsonValue, mayHold: MayHold, alsoAlone: boolean = false): boolean {
  const placed: PlacedText[] = []
  const isHeld = fold(value, '', (part, place, inside): boolean => {
    if (typeof part === 'string') {
      placed.push({ text: nearBorders(part, NEAR), place })
      return isJsonText(part) && holdsAcross(parseJson(part), mayHold, true)
    }
    if (!isContainer(part)) return false
    const isList = Array.isArray(part)
    for (const key in part)
      if (inside((part as JsonObject)[key]!, isList ? place : placeBelow(place, key))) return true
    return false
  })
  if (isHeld) return true
  for (const run of readAsOne(placed, alsoAlone ? 1 : 2)) {
    let near = ''
    for (const index of run) near += placed[index]!.text
    if (mayHold(near)) return true
  }
  return false
}
