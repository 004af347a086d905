import { writeBody } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'
import { markWhole } from './whole.ts'

/**
 * The recorded answer as a Response: its bytes as they were, one event one chunk.
 *
 * @param signal breaks off what is not read yet
 */
export function replayResponse(
  { status, headers, body, cut = false }: WireResponse,
  signal?: AbortSignal | null,
): Response {
  const chunks = writeBody(body) as Uint8Array<ArrayBuffer>[]
  // Without a framing, a connection that breaks would read as the end of the answer.
  if (cut) headers = { ...headers, 'transfer-encoding': 'chunked' }
  const isPlain = chunks.length <= (signal ? 0 : 1) && !cut
  if (isPlain) return markWhole(new Response(chunks[0] ?? null, { status, headers }))
  return new Response(streamOf(chunks, cut, signal), { status, headers })
}

function streamOf(
  chunks: Uint8Array[],
  cut: boolean,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        // Nobody waits for a chunk in between, so there is no need to listen.
        if (signal?.aborted) return controller.error(signal.reason)
        const chunk = chunks[next++]
        if (chunk) controller.enqueue(chunk)
        if (next < chunks.length || (cut && chunk)) return
        if (cut) controller.error(brokenConnection())
        else controller.close()
      },
    },
    // Asks for nothing before it is asked.
    { highWaterMark: 0 },
  )
}

/** What fetch says of a connection that breaks. */
function brokenConnection(): TypeError {
  return new TypeError('terminated', { cause: new Error('The recorded answer was cut here.') })
}
