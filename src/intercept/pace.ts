import { areTimersFaked, nextTurn } from './next-turn.ts'

/**
 * An answer for a connection: chunk by chunk, where those of one turn of the event loop would arrive as one,
 * and with an end of its own, so that the connection is kept for the next request as a provider's is.
 */
export function pace(response: Response | undefined): Response | undefined {
  if (!response?.body) return response
  const reader = response.body.getReader()
  let isFirst = true
  const paced = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Before the end too: a client puts its connection back in a turn of its own.
      if (!isFirst) await nextTurn()
      isFirst = false
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const { status, statusText, headers } = response
  // Fetch takes a connection up again with a timer.
  if (!areTimersFaked()) headers.set('transfer-encoding', 'chunked')
  return new Response(paced, { status, statusText, headers })
}
