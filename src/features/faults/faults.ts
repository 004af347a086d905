import { readFault, type Fault, type ReadFault } from '../../config/fault.ts'
import { withStatus } from '../../providers/with-status.ts'
import type { Body } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'
import type { Incoming } from '../../engine/incoming.ts'
import type { Faults, Spoiled } from '../../engine/rare-cases.ts'
import { dialectFor } from '../../engine/read-prompt.ts'

/** The faults that a test declared, and how often each has happened. */
export class DeclaredFaults implements Faults {
  readonly #faults: Array<{ fault: Fault; read: ReadFault; happened: number }>

  constructor(faults: readonly Fault[]) {
    this.#faults = faults.map((fault) => ({ fault, read: readFault(fault), happened: 0 }))
  }

  /** The faults that never happened. */
  get missing(): Fault[] {
    return this.#faults.filter(({ happened }) => happened === 0).map(({ fault }) => fault)
  }

  /** True once an answer did not reach the application whole. */
  get haveSpoiled(): boolean {
    return this.#faults.some(({ happened, read }) => happened > 0 && read.delayMs === undefined)
  }

  /** Spoils an answer that is about to be replayed. At most one fault withholds it or cuts it. */
  spoil(exchange: string, incoming: Incoming, response: WireResponse): Spoiled {
    const spoiled: Spoiled = { response, delayMs: 0, isWhole: true }
    for (const one of this.#faults) {
      const { read, happened } = one
      if (happened >= read.times || (read.on ?? exchange) !== exchange) continue
      if (read.delayMs !== undefined) spoiled.delayMs += read.delayMs
      else {
        const worse = spoiled.isWhole && spoilWith(read, incoming, response)
        if (!worse) continue
        spoiled.response = worse
        spoiled.isWhole = false
      }
      one.happened++
    }
    return spoiled
  }
}

/** The answer with its fault; `undefined` where it cannot have that one. */
function spoilWith(
  { status, retryAfter, cutAfterEvent }: ReadFault,
  incoming: Incoming,
  response: WireResponse,
): WireResponse | undefined {
  // Frames of a socket have no status, and break with the socket alone.
  if (incoming.wire.method === 'SEND') return undefined
  if (status !== undefined) return failWith(status, retryAfter, incoming)
  const body = cutBody(response.body, cutAfterEvent!)
  return body && { ...response, body, cut: true }
}

function failWith(
  status: number,
  retryAfter: number | undefined,
  incoming: Incoming,
): WireResponse {
  const message = `Status ${status}, as the test declares in its option faults.`
  const failure: WireResponse = dialectFor(incoming).writeCompletion?.(
    { text: '', toolCalls: [], finishReasons: [], error: message },
    incoming.wire,
  ) ?? {
    status,
    headers: { 'content-type': 'application/json' },
    body: { kind: 'json', value: { error: { message } }, layout: {} },
  }
  // Without a header that says when to retry, SDKs wait for half a second and more.
  const when: Record<string, string> =
    retryAfter === undefined ? { 'retry-after-ms': '1' } : { 'retry-after': String(retryAfter) }
  return withStatus({ ...failure, headers: { ...failure.headers, ...when } }, status)
}

/** The first events of a stream; `undefined` for a body that has no more than those. */
function cutBody(body: Body, count: number): Body | undefined {
  switch (body.kind) {
    case 'events':
      return body.events.length > count
        ? { ...body, events: body.events.slice(0, count) }
        : undefined
    case 'lines':
      return body.lines.length > count ? { ...body, lines: body.lines.slice(0, count) } : undefined
    case 'frames':
      return body.frames.length > count
        ? { ...body, frames: body.frames.slice(0, count) }
        : undefined
    default:
      return undefined
  }
}
