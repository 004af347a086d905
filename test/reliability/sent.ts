import { decodeCassette } from '../../src/cassette/decode.ts'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { printCassette } from '../../src/cassette/format.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { Session } from '../../src/engine/session.ts'
import { plainRequest } from '../../src/transports/intercept/http/plain-request.ts'
import { wireRequest } from '../../src/secrets/wire-request.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import type { WireRequest } from '../../src/wire/message.ts'
import { openExample, recorded } from '../engine/example-session.ts'

/** A request as an application sends it. */
export interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  /** The variables of its machine. */
  env?: Record<string, string>
}

/** The two entrances through which a request can come. */
export const ENTRANCES = ['fetch', 'socket'] as const
export type Entrance = (typeof ENTRANCES)[number]

/** Reads a request as it is read at an entrance. */
function readAt({ method, url, headers, body }: Sent, entrance: Entrance): WireRequest {
  const plain = entrance === 'fetch' && plainRequest(url, { method, headers, body })
  const bytes = Buffer.from(body)
  const whole = { method, url, headers: new Headers(headers), body: Uint8Array.from(bytes).buffer }
  return wireRequest(plain || whole)
}

function redacted({ headers, url, env = {} }: Sent, wire: WireRequest): WireRequest {
  return redactorFor(Object.entries(headers), new URL(url), [], env).request(wire)
}

/** A test that recorded one request, in a file. */
export class RecordedTest {
  readonly #session: Session
  /** What is stored of the request. */
  readonly stored: string

  constructor(sent: Sent) {
    const wire = redacted(sent, readAt(sent, 'socket'))
    this.stored = JSON.stringify(wire)
    const cassette = recorded([readIncoming(wire), 'Done.'])
    const { stored, blobs } = encodeCassette(cassette, 'schema.json')
    const read = decodeCassette(parseCassette(printCassette(stored)), (name) => blobs.get(name)!)
    this.#session = openExample(read, { repeats: 'last' })
  }

  /** Whether the answer is replayed to what is sent now. */
  answers(sent: Sent, entrance: Entrance): boolean {
    const redact = (wire: WireRequest): WireRequest => redacted(sent, wire)
    return this.#session.find(readIncoming(readAt(sent, entrance), { redact })) !== undefined
  }
}
