import { writeBody } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'

/** The recorded answer as a Response: its bytes as they were, one event one chunk. */
export function replayResponse({ status, headers, body, cut }: WireResponse): Response {
  const chunks = writeBody(body)
  if (!cut && chunks.length === 0) return new Response(null, { status, headers })
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else if (cut) controller.error(new TypeError('terminated: the recorded answer was cut here'))
      else controller.close()
    },
  })
  return new Response(stream, { status, headers })
}
