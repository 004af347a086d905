import { nextTurn } from './next-turn.ts'

/** An answer for a connection, where chunks of one turn of the event loop would arrive as one. */
export function pace(response: Response | undefined): Response | undefined {
  if (!response?.body) return response
  const reader = response.body.getReader()
  let isFirst = true
  const paced = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isFirst) await nextTurn()
      isFirst = false
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(paced, response)
}
