import { ReadableStream as NodesReadableStream } from 'node:stream/web'
import { nextTurn } from '../patch/next-turn.ts'
import { Patience } from './patience.ts'

/** What came of an answer; `cut` where its connection broke. */
export interface Arrived {
  bytes: Uint8Array
  cut: boolean
  /** How many of the bytes the application had got, where it gave up waiting for more. */
  leftAt?: number
}

/**
 * Lets the application read an answer as it arrives, while it is read to its own end, whatever the application
 * does. The application sees that end when the answer is kept, so that tests find it among what they got. Where it
 * has left, and its provider sends nothing more and does not end, what has arrived is all.
 *
 * @param kept settles when it is kept
 */
export function readAlong(
  answer: ReadableStream<Uint8Array>,
  kept: Promise<void>,
  patience: Patience = new Patience(),
): { body: ReadableStream<Uint8Array>; arrived: Promise<Arrived> } {
  const reader = answer.getReader()
  const chunks: Uint8Array[] = []
  let end: { error?: unknown } | undefined
  let wake = (): void => {}
  let next = 0
  let given = 0
  let isWaiting = false
  let leftAt: number | undefined

  async function readToEnd(): Promise<Arrived> {
    let isGivenUp = false
    try {
      for (;;) {
        const read = await patience.waitFor(reader.read())
        isGivenUp = !read
        if (!read || read.done) break
        chunks.push(read.value)
        wake()
      }
      end = {}
    } catch (error) {
      end = { error }
    }
    patience.end()
    wake()
    if (isGivenUp) {
      leftAt ??= given
      void reader.cancel().catch(() => {})
    }
    const left = leftAt === undefined ? {} : { leftAt }
    return { bytes: Buffer.concat(chunks), cut: 'error' in end, ...left }
  }

  /** A client that leaves right after a chunk has seen what it wanted. */
  async function waitForMore(): Promise<void> {
    const more = new Promise<void>((resolve) => (wake = resolve))
    const turn = nextTurn().then(() => (isWaiting = next === chunks.length && !end))
    await more
    await turn
    isWaiting = false
  }

  // Node's own: what happy-dom has by this name is something else.
  const body = new NodesReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next === chunks.length && !end) await waitForMore()
        if (next < chunks.length) {
          // Clients stop reading at the last event, most often before the end that has come with it.
          if (!end) await nextTurn()
          if (end && next === chunks.length - 1) await kept
          const chunk = chunks[next++]!
          given += chunk.length
          return controller.enqueue(chunk)
        }
        await kept
        if (end && 'error' in end) controller.error(end.error)
        else controller.close()
      },
      cancel() {
        if (isWaiting) leftAt = given
        patience.leave()
      },
    },
    // Asks for nothing before it is asked: only then what is given has been read.
    { highWaterMark: 0 },
  )
  return { body: body as ReadableStream<Uint8Array>, arrived: readToEnd() }
}
