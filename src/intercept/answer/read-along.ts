import { ReadableStream as NodesReadableStream } from 'node:stream/web'
import { nextTurn } from '../patch/next-turn.ts'

/** What came of an answer; `cut` where its connection broke. */
export interface Arrived {
  bytes: Uint8Array
  cut: boolean
}

/**
 * Lets the application read an answer as it arrives, while it is read to its own end, whatever the application
 * does. The application sees that end when the answer is kept, so that tests find it among what they got.
 *
 * @param kept settles when it is kept
 */
export function readAlong(
  answer: ReadableStream<Uint8Array>,
  kept: Promise<void>,
): { body: ReadableStream<Uint8Array>; arrived: Promise<Arrived> } {
  const chunks: Uint8Array[] = []
  let end: { error?: unknown } | undefined
  let wake = (): void => {}
  let next = 0

  async function readToEnd(): Promise<Arrived> {
    try {
      for await (const chunk of answer) {
        chunks.push(chunk)
        wake()
      }
      end = {}
    } catch (error) {
      end = { error }
    }
    wake()
    return { bytes: Buffer.concat(chunks), cut: 'error' in end }
  }

  // Node's own: what happy-dom has by this name is something else.
  const body = new NodesReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === chunks.length && !end) await new Promise<void>((resolve) => (wake = resolve))
      if (next < chunks.length) {
        // Clients stop reading at the last event, most often before the end that has come with it.
        if (!end) await nextTurn()
        if (end && next === chunks.length - 1) await kept
        return controller.enqueue(chunks[next++]!)
      }
      await kept
      if (end && 'error' in end) controller.error(end.error)
      else controller.close()
    },
  })
  return { body: body as ReadableStream<Uint8Array>, arrived: readToEnd() }
}
