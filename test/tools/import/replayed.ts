import { decodeCassette } from '../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { Matcher } from '../../../src/engine/match.ts'
import { tryParseJson } from '../../../src/json/json-value.ts'
import { withoutSpace } from '../../../src/json/layout.ts'
import { rareCases } from '../../../src/features/all-rare-cases.ts'
import { redactorFor } from '../../../src/secrets/redactor.ts'
import { wireRequest } from '../../../src/secrets/wire-request.ts'
import { addressOf } from '../../../src/tools/import/address.ts'
import type { ForeignExchange, ForeignRecording } from '../../../src/tools/import/foreign.ts'
import { makeCassette } from '../../../src/tools/import/make-cassette.ts'
import { writeBody } from '../../../src/wire/body.ts'

/** What the cassette of a recording answers to one of its requests, as a client would send it today. */
export interface Replayed {
  file: string
  url: string
  /**
   * - `replayed`: the recorded bytes
   * - `respaced`: them, but for white space between the tokens of JSON that no layout gives
   * - `replaced`: them, with a placeholder for a credential
   * - `unasked`: nothing, since its prompt is unknown
   * - `loose`: something else, to a request with one more field
   * - `secret`: the cassette holds what looks like a credential, and is not written
   */
  outcome:
    | 'replayed'
    | 'respaced'
    | 'replaced'
    | 'unasked'
    | 'secret'
    | 'missed'
    | 'other bytes'
    | 'loose'
}

/** Makes the cassette of a recording, writes and reads it, and asks it what was recorded, in the same order. */
export function replayed(recording: ForeignRecording): Replayed[] {
  const { file, exchanges } = recording
  const now = new Date('2026-11-01T00:00:00Z')
  const { cassette, secret } = makeCassette([recording], 'a.test.ts > asks', { env: {}, now })
  const { stored, blobs } = encodeCassette(cassette, 'schema.json')
  const text = printCassette(stored)
  const read = decodeCassette(parseCassette(text), (name) => blobs.get(name)!)
  const matcher = new Matcher(read, { rare: () => rareCases })
  return exchanges.map((exchange): Replayed => {
    const { url } = addressOf(exchange.request)
    const told = { file, url }
    if (secret) return { ...told, outcome: 'secret' }
    if (!exchange.request.body || exchange.response.written) return { ...told, outcome: 'unasked' }
    const found = matcher.next(asked(exchange), { repeats: 'strict', unordered: true })
    if (!found) return { ...told, outcome: 'missed' }
    if (isAnswered(matcher, changed(exchange))) return { ...told, outcome: 'loose' }
    const { recorded } = found
    recorded.played++
    const bytes = Buffer.concat(writeBody(recorded.exchange.wire!.response!.body))
    const { body } = exchange.response
    const there = Buffer.concat(Array.isArray(body) ? body : [body])
    if (bytes.equals(there)) return { ...told, outcome: 'replayed' }
    if (isRespaced(bytes, there)) return { ...told, outcome: 'respaced' }
    return { ...told, outcome: bytes.includes('REDACTED') ? 'replaced' : 'other bytes' }
  })
}

/** Whether a body is JSON in which nothing but white space is another one. */
function isRespaced(bytes: Buffer, there: Buffer): boolean {
  const [one, other] = [bytes.toString(), there.toString()]
  return tryParseJson(other) !== undefined && withoutSpace(one) === withoutSpace(other)
}

function isAnswered(matcher: Matcher, exchange: ForeignExchange | undefined): boolean {
  return exchange !== undefined && matcher.answering(asked(exchange)).length > 0
}

/** The same exchange with one more field in the JSON of its request. */
function changed(exchange: ForeignExchange): ForeignExchange | undefined {
  const text = Buffer.from(exchange.request.body!).toString()
  if (!/^\s*\{\s*"/.test(text)) return undefined
  const body = Buffer.from(text.replace('{', '{"added":1,'))
  return { ...exchange, request: { ...exchange.request, body } }
}

/** The request as a client sends it: with something else in the place of what was redacted. */
function asked({ request }: ForeignExchange) {
  const { method, url } = addressOf(request)
  const swap = (said: string): string =>
    (request.redacted ?? [])
      .filter(({ length }) => length >= 3)
      .reduce((rest, one) => rest.replaceAll(one, 'other'), said)
  const headers = new Map(
    (request.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const content = Buffer.from(request.body!).toString('latin1')
  const outgoing = {
    method,
    url,
    headers,
    body: new Uint8Array(Buffer.from(request.redacted ? swap(content) : content, 'latin1')).buffer,
  }
  const redactor = redactorFor(headers, new URL(url), [], {})
  return readIncoming(wireRequest(outgoing), { redact: (wire) => redactor.request(wire) })
}
