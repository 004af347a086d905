import { writeBody } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'

/** The recorded answer as a Response: its bytes as they were, one event one chunk. */
export function replayResponse({ status, headers, body, cut }: WireResponse): Response {
  const chunks = writeBody(body)
  if (!cut && chunks.length <= 1)
    return new Response((chunks[0] as Uint8Array<ArrayBuffer> | undefined) ?? null, {
      status,
      headers,
    })
  let next = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[next++]
      if (chunk) controller.enqueue(chunk)
      else if (cut) controller.error(brokenConnection())
      else controller.close()
    },
  })
  // Without a framing, a connection that breaks would read as the end of the answer.
  const framing: Record<string, string> = cut ? { 'transfer-encoding': 'chunked' } : {}
  return new Response(stream, { status, headers: { ...headers, ...framing } })
}

/** What fetch says of a connection that breaks. */
function brokenConnection(): TypeError {
  return new TypeError('terminated', { cause: new Error('The recorded answer was cut here.') })
}
