import { ReadableStream as NodesReadableStream } from 'node:stream/web'
import { nextTurn, timeLimit } from '../../../real/clock.ts'

/** The part of an answer that arrived; `cut` where its connection broke. */
export interface Arrived {
  bytes: Uint8Array
  cut: boolean
  /** The number of bytes that the application had read when it gave the answer up. */
  leftAt?: number
}

/** An answer of which a part has been read. */
export interface Begun {
  reader: ReadableStreamDefaultReader<Uint8Array>
  chunks: Uint8Array[]
  /** Set once all of it has arrived, or its connection broke. */
  end?: { error?: unknown }
  /** What is being read. */
  next?: Promise<ReadableStreamReadResult<Uint8Array>>
}

/** Reads what of an answer has arrived with its headers, which for most is all of it. */
export async function readFirst(answer: ReadableStream<Uint8Array>): Promise<Begun> {
  const begun: Begun = { reader: answer.getReader(), chunks: [] }
  const turn = nextTurn()
  try {
    for (;;) {
      const next = begun.reader.read()
      const read = await Promise.race([next, turn])
      if (!read) return { ...begun, next }
      if (read.done) return { ...begun, end: {} }
      begun.chunks.push(read.value)
    }
  } catch (error) {
    return { ...begun, end: { error } }
  }
}

/** The bytes of an answer that came whole and at once; nothing has to wait for it, nor to cut it anew. */
export function arrivedWhole({ chunks, end }: Begun): Uint8Array<ArrayBuffer> | undefined {
  const isWhole = end !== undefined && !('error' in end) && chunks.length <= 1
  return isWhole ? ((chunks[0] ?? new Uint8Array()) as Uint8Array<ArrayBuffer>) : undefined
}

/**
 * Lets the application read an answer as it arrives, and reads it to its end whatever the application does. The
 * application sees the end once the answer is kept, so that tests find it in their exchanges. If the application
 * leaves, and the provider sends nothing more and does not end, the part that has arrived is kept.
 *
 * @param kept settles when the answer is kept
 */
export function readAlong(
  { reader, chunks, end, next: begun }: Begun,
  kept: Promise<void>,
  patience: Patience = new Patience(),
): { body: ReadableStream<Uint8Array>; arrived: Promise<Arrived> } {
  let wake = (): void => {}
  let next = 0
  let given = 0
  let isWaiting = false
  let leftAt: number | undefined

  async function readToEnd(): Promise<Arrived> {
    let isGivenUp = false
    try {
      for (let coming = begun; !end; coming = undefined) {
        const read = await patience.waitFor(coming ?? reader.read())
        isGivenUp = !read
        if (!read || read.done) end = {}
        else {
          chunks.push(read.value)
          wake()
        }
      }
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

  /** A client can leave right after a chunk that was the last it needed. */
  async function waitForMore(): Promise<void> {
    const more = new Promise<void>((resolve) => (wake = resolve))
    const turn = nextTurn().then(() => (isWaiting = next === chunks.length && !end))
    await more
    await turn
    isWaiting = false
  }

  // The class of Node: happy-dom has another one by this name.
  const body = new NodesReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next === chunks.length && !end) await waitForMore()
        if (next < chunks.length) {
          // Most clients stop reading at the last event, before they see the end that came with it.
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
    // Pulls only on demand, so a pull says that the client has read the chunk before.
    { highWaterMark: 0 },
  )
  return { body: body as ReadableStream<Uint8Array>, arrived: readToEnd() }
}

/** Milliseconds to wait for an answer that its client has given up: for the next chunk, and in all. */
const SILENT_MS = 1_000
const IN_ALL_MS = 5_000

/** Waits for an answer: as long as its client waits, and a little longer once the client has left. */
export class Patience {
  #inAll?: ReturnType<typeof timeLimit>
  #hasLeft = (): void => {}

  /** The client has given the request up. */
  leave(): void {
    if (this.#inAll) return
    this.#inAll = timeLimit(IN_ALL_MS)
    this.#hasLeft()
  }

  /** The result; `undefined` where the client has left, and nothing comes in time. */
  async waitFor<Result>(coming: Promise<Result>): Promise<Result | undefined> {
    const { promise: over, resolve } = Promise.withResolvers<undefined>()
    let silent: ReturnType<typeof timeLimit> | undefined
    this.#hasLeft = () => {
      silent = timeLimit(SILENT_MS)
      for (const limit of [silent, this.#inAll!]) void limit.over.then(() => resolve(undefined))
    }
    if (this.#inAll) this.#hasLeft()
    try {
      return await Promise.race([coming, over])
    } finally {
      this.#hasLeft = () => {}
      silent?.clear()
    }
  }

  /** Ends the wait. */
  end(): void {
    this.#inAll?.clear()
  }
}
