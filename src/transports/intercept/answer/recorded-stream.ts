import { web } from '../../../real/web.ts'
import { waitFor } from '../../../real/clock.ts'

/** Gives no answer until the client gives the request up. */
export function silence(signal: AbortSignal | null | undefined): Promise<Response> {
  return untilAborted(signal).then(() => web.Response.error())
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The chunks of an answer, each when it is asked for. */
export function streamOf(
  chunks: Uint8Array[],
  ending: 'silence' | 'cut' | 'end',
  signal: AbortSignal | null | undefined,
  waitMs: number,
): ReadableStream<Uint8Array> {
  let next = 0
  return new web.ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (waitMs > 0) await Promise.race([waitFor(waitMs), untilAborted(signal)])
        // No read waits between two pulls, so a check here replaces a listener.
        if (signal?.aborted) return controller.error(signal.reason)
        const chunk = chunks[next++]
        if (chunk) controller.enqueue(chunk)
        if (next < chunks.length || (ending !== 'end' && chunk)) return
        if (ending === 'end') return controller.close()
        if (ending === 'cut') {
          const cause = new Error('The recorded answer was cut here.')
          return controller.error(new TypeError('terminated', { cause }))
        }
        await untilAborted(signal)
        controller.error(signal?.reason)
      },
    },
    // Pulls only on demand.
    { highWaterMark: 0 },
  )
}
