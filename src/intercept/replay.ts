import { writeBody } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'

/** Taken here, before a test can put fake timers in its place. */
const nextTurn = globalThis.setImmediate

/** The recorded answer as a Response: its bytes as they were, one event one chunk. */
export function replayResponse({ status, headers, body, cut }: WireResponse): Response {
  const chunks = writeBody(body)
  if (!cut && chunks.length === 0) return new Response(null, { status, headers })
  let first = true
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Chunks of one turn of the event loop would reach the application as one.
      if (!first) await new Promise<void>((resolve) => void nextTurn(resolve))
      first = false
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else if (cut) controller.error(new TypeError('terminated: the recorded answer was cut here'))
      else controller.close()
    },
  })
  // Without a framing, a connection that breaks would read as the end of the answer.
  const framing: Record<string, string> = cut ? { 'transfer-encoding': 'chunked' } : {}
  return new Response(stream, { status, headers: { ...headers, ...framing } })
}
