import { areTimersFaked, nextTurn } from '../patch/next-turn.ts'
import { isWhole } from './whole.ts'

/**
 * An answer for a connection: chunk by chunk, where those of one turn of the event loop would arrive as one,
 * and with an end of its own, so that the connection is kept for the next request as a provider's is.
 */
export async function pace(response: Response | undefined): Promise<Response | undefined> {
  if (!response?.body) return response
  const { body, status, statusText, headers } = response
  // Fetch takes a connection up again with a timer.
  if (!areTimersFaked()) headers.set('transfer-encoding', 'chunked')
  if (!isWhole(response)) return new Response(inTurns(body), { status, statusText, headers })
  // A client puts the connection of its last call back in a turn of its own.
  await nextTurn()
  return response
}

function inTurns(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isFirst = true
  return new ReadableStream({
    async pull(controller) {
      // Before the end too, for the connection.
      if (!isFirst) await nextTurn()
      isFirst = false
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
