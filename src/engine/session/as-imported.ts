import type { JsonValue } from '../../json/json-value.ts'
import { valueAt, rewrite } from '../../json/walk.ts'
import { withoutHeaders } from '../../providers/asking-headers.ts'
import { REDACTED_LABEL, type Imported } from '../../wire/imported.ts'
import type { WireRequest } from '../../wire/message.ts'
import type { Incoming } from '../incoming.ts'

/** By the recorded request, or by the head of the form, which many recorded requests share. */
const forms = new WeakMap<Incoming, Map<Incoming | string, Incoming>>()

/**
 * A live request in which the unknown parts of an imported one are as they stand there.
 *
 * @param comparableTo makes the request before it comparable in the same way
 */
export function asImported(
  known: Incoming,
  asked: Incoming,
  comparableTo: (known: Incoming, asked: Incoming) => Incoming,
): Incoming {
  let ofAsked = forms.get(asked)
  if (!ofAsked) forms.set(asked, (ofAsked = new Map()))
  let form = ofAsked.get(known)
  if (form) return form
  const wire = withUnknown(known.wire, asked.wire)
  if (known.before && asked.before)
    form = asked.inForm(wire, comparableTo(known.before, asked.before))
  else if (wire.body !== asked.wire.body) form = asked.inForm(wire)
  else {
    const { body: _, ...rest } = wire
    const head = JSON.stringify(rest)
    form = ofAsked.get(head) ?? asked.inForm(wire)
    ofAsked.set(head, form)
  }
  ofAsked.set(known, form)
  return form
}

function withUnknown(known: WireRequest, asked: WireRequest): WireRequest {
  const { unknown = [], redacted = [] } = known.imported!
  const { headers, ...rest } = unknown.includes('headers') ? withoutHeaders(asked) : asked
  return {
    ...rest,
    method: unknown.includes('method') ? known.method : asked.method,
    url: alignUrl(known, asked),
    ...(headers
      ? { headers: align(known.headers ?? {}, headers, redacted) as Record<string, string> }
      : {}),
    body:
      redacted.length > 0 && known.body.kind === asked.body.kind && known.body.kind !== 'bytes'
        ? (align(known.body as JsonValue, asked.body as JsonValue, redacted) as WireRequest['body'])
        : asked.body,
    imported: known.imported!,
  }
}

function alignUrl(known: WireRequest, asked: WireRequest): string {
  const { unknown = [], redacted = [] } = known.imported as Imported
  const [there, here] = [new URL(known.url), new URL(asked.url)]
  const spelled = redacted.flatMap((text) => {
    const whole = text.toWellFormed()
    return [text, encodeURI(whole), encodeURIComponent(whole)]
  })
  const inHost = redacted.length > 0 ? [REDACTED_LABEL] : []
  here.host = unknown.includes('host') ? there.host : alignText(there.host, here.host, inHost)
  here.pathname = unknown.includes('path')
    ? there.pathname
    : alignText(there.pathname, here.pathname, spelled)
  here.search = unknown.includes('path')
    ? there.search
    : alignText(there.search, here.search, spelled)
  return here.href
}

/** A live value with the recorded text wherever only redacted pieces of it differ. */
function align(known: JsonValue, asked: JsonValue, redacted: readonly string[]): JsonValue {
  return rewrite(asked, (text, at) => {
    const there = typeof text === 'string' ? valueAt(known, at) : undefined
    return typeof there === 'string' ? alignText(there, text as string, redacted) : undefined
  })
}

/** The recorded text, if the live one has its pieces between the redacted ones, in order; else the live one. */
function alignText(known: string, asked: string, redacted: readonly string[]): string {
  const [first, ...others] = redacted.reduce<string[]>(
    (pieces, text) => pieces.flatMap((piece) => piece.split(text)),
    [known],
  ) as [string, ...string[]]
  if (others.length === 0 || !asked.startsWith(first)) return asked
  const last = others.pop()!
  let at = first.length
  for (const piece of others) {
    const found = asked.indexOf(piece, at)
    if (found < 0) return asked
    at = found + piece.length
  }
  return asked.endsWith(last) && asked.length - last.length >= at ? known : asked
}
