import { web } from '../../../real/web.ts'
import { areTimersFaked, nextTurn } from '../../../real/clock.ts'
import { whole } from '../call/fetched-response.ts'

/**
 * An answer that is written to a connection. Its chunks come in turns of the event loop of their own, since chunks of
 * one turn arrive as one. It says where it ends, so that the client keeps the connection for the next request.
 */
export async function writeInTurns(response: Response | undefined): Promise<Response | undefined> {
  if (!response?.body) return response
  const { body, status, statusText, headers } = response
  // Fetch needs a timer to use a connection again.
  if (!areTimersFaked()) headers.set('transfer-encoding', 'chunked')
  if (!whole.has(response)) return new web.Response(inTurns(body), { status, statusText, headers })
  // A client returns the connection of its last call to the pool in a turn of its own.
  await nextTurn()
  return response
}

function inTurns(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isFirst = true
  return new web.ReadableStream({
    async pull(controller) {
      // The end needs a turn of its own too.
      if (!isFirst) await nextTurn()
      isFirst = false
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
