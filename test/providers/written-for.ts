import { dialectOf } from '../../src/providers/dialects.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import { writeBody } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'

/** A completion with everything that the formats have in common. */
export const PICNIC: Completion = {
  text: 'It is dry.\nBring a "hat" — 🧢.',
  reasoning: 'Sunny means dry.',
  toolCalls: [
    { id: 'call_1', name: 'weather', arguments: { city: 'Ulm', days: [1, 2] } },
    { id: 'call_2', name: 'now', arguments: {} },
  ],
  finishReasons: ['stop'],
  usage: { inputTokens: 120, outputTokens: 40, cacheReadInputTokens: 100 },
}

/** A `fetch` that answers every request with a completion, in the dialect of the request. */
export function fetchOf(completion: Completion): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const body = readBody(new Uint8Array(await request.arrayBuffer()))
    const { status, headers, bytes } = writtenFor(completion, {
      method: request.method,
      url: request.url,
      body,
    })
    return new Response(bytes, { status, headers })
  }
}

/** What goes over the wire for a request. */
export function writtenFor(
  completion: Completion,
  request: WireRequest,
): Pick<WireResponse, 'status' | 'headers'> & { bytes: Uint8Array<ArrayBuffer> } {
  const { status, headers, body } = dialectOf(request).writeCompletion!(completion, request)
  return { status, headers, bytes: Buffer.concat(writeBody(body)) }
}
