import { judgeAddress, sideRequestIn } from '../../transports/address.ts'
import { REDACTED_LABEL, UNKNOWN_HOST, type UnknownPart } from '../../wire/imported.ts'
import type { ForeignRequest } from './foreign.ts'

/** The method and the address of a request, as far as its file tells them. */
export interface Address {
  method: string
  url: string
  unknown: UnknownPart[]
}

/** The address of a request, with something else in the place of what is unknown. */
export function addressOf({ method, url, redacted = [] }: ForeignRequest): Address {
  const place = placeOf(url, redacted)
  return {
    method: method !== undefined && /^[A-Z]+$/.test(method) ? method : 'POST',
    url: place.url,
    unknown: [...(method === undefined ? ['method' as const] : []), ...place.unknown],
  }
}

function placeOf(url: string | undefined, redacted: readonly string[]): Omit<Address, 'method'> {
  const unknown = `https://${UNKNOWN_HOST}`
  if (url === undefined) return { url: `${unknown}/`, unknown: ['host', 'path'] }
  if (url.startsWith('/')) return { url: unknown + url, unknown: ['host'] }
  const spelled = URL.canParse(url) ? url : withLabels(url, redacted)
  return URL.canParse(spelled) && /^https?:$/.test(new URL(spelled).protocol)
    ? { url: spelled, unknown: [] }
    : { url: `${unknown}/`, unknown: ['host', 'path'] }
}

/** An address in whose host a text stands for what was redacted, of which no host can be made. */
function withLabels(url: string, redacted: readonly string[]): string {
  const [, start = '', host = '', rest = ''] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? []
  const named = redacted.reduce((text, one) => text.replaceAll(one, REDACTED_LABEL), host)
  return start + named + rest
}

/** What a request is to the tests that made it: a call of a model, one to another server, or none that is recorded. */
export type RequestKind =
  | { kind: 'llm' }
  | { kind: 'other'; host: string }
  | { kind: 'none'; why: string }

/** Judges a request as a run would that records it. */
export function kindOfRequest(request: ForeignRequest): RequestKind {
  const { method, url, unknown } = addressOf(request)
  const address = new URL(url)
  const options = { hosts: [], allowHosts: [] }
  const side = sideRequestIn(address, options)
  if (side) return { kind: 'none', why: SIDE_REQUESTS[side] }
  if (method === 'OPTIONS')
    return { kind: 'none', why: 'a question of a browser whether it may ask' }
  if (unknown.includes('path')) return { kind: 'llm' }
  const judged = judgeAddress(method, address, options)
  if (judged !== 'no') return { kind: 'llm' }
  return unknown.includes('host')
    ? { kind: 'none', why: 'a call that is no LLM call, to an unknown host' }
    : { kind: 'other', host: address.host }
}

const SIDE_REQUESTS = {
  upload: 'telemetry',
  download: 'a download of a tokenizer or a model',
  metadata: 'a question to the metadata service of a cloud',
  program: 'what an agent program asks its vendor',
  'sign-in': 'a sign-in to a cloud',
}
