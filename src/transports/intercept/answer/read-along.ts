import { say } from '../../../attempt/say.ts'
import { ReadableStream as NodesReadableStream } from 'node:stream/web'
import type { Recording } from '../../../engine/recording.ts'
import { callLater, nextTurn, realNow, timeLimit } from '../../../real/clock.ts'
import { printable } from '../../../text/printable.ts'

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
  let isPulling = false
  patience.isRead = () => isPulling

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
      // A reader left behind gets in a replay what it could have read.
      leftAt ??= patience.isGivenUp ? chunks.reduce((sum, { length }) => sum + length, 0) : given
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
        isPulling = true
        if (next === chunks.length && !end) await waitForMore()
        // A response that never ended does not end here either, as in a replay.
        if (patience.isGivenUp && next === chunks.length) return new Promise(() => {})
        if (next < chunks.length) {
          // Most clients stop reading at the last event, before they see the end that came with it.
          if (!end) await nextTurn()
          if (end && next === chunks.length - 1) await kept
          const chunk = chunks[next++]!
          given += chunk.length
          patience.noteRead()
          isPulling = false
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

/** Milliseconds after the end of a test until an unfinished response is given up: one that nothing reads, and any. */
const UNREAD_MS = 5_000
const AFTER_TEST_MS = 15_000

/**
 * Waits for a response: as long as its client does, a little longer once the client has left, and some seconds once
 * its test has ended.
 */
export class Patience {
  /** Whether something waits for more of the response. A client behind a socket always seems to. */
  isRead: () => boolean = () => true
  /** Whether the test ended before the response did. */
  isGivenUp = false
  #recording?: Recording
  #inAll?: ReturnType<typeof timeLimit>
  #hasLeft = (): void => {}
  #readAt = 0
  #callOff = (): void => {}
  readonly #givenUp = Promise.withResolvers<undefined>()

  /**
   * @param recording names the response that is given up
   * @param giveUp called then
   */
  constructor(recording?: Recording, giveUp: () => void = () => {}) {
    if (!recording) return
    this.#recording = recording
    recording.testEnds = (test) => {
      this.#callOff()
      if (test === undefined) return
      const ended = realNow()
      const look = (): void => {
        const now = realNow()
        const isUnread = !this.isRead() && now - Math.max(this.#readAt, ended) >= UNREAD_MS
        if (!isUnread && now - ended < AFTER_TEST_MS)
          return void (this.#callOff = callLater(250, look))
        warnOfGivenUp(recording, test, isUnread)
        this.isGivenUp = true
        giveUp()
        this.#givenUp.resolve(undefined)
      }
      look()
    }
  }

  /** The client has given the request up. */
  leave(): void {
    if (this.#inAll) return
    this.#inAll = timeLimit(IN_ALL_MS)
    this.#hasLeft()
  }

  /** The client has read a part of it. */
  noteRead(): void {
    this.#readAt = realNow()
  }

  /** The result; `undefined` where the client has left, or the test has ended, and nothing comes in time. */
  async waitFor<Result>(coming: Promise<Result>): Promise<Result | undefined> {
    const { promise: over, resolve } = Promise.withResolvers<undefined>()
    let silent: ReturnType<typeof timeLimit> | undefined
    this.#hasLeft = () => {
      silent = timeLimit(SILENT_MS)
      for (const limit of [silent, this.#inAll!]) void limit.over.then(() => resolve(undefined))
    }
    if (this.#inAll) this.#hasLeft()
    try {
      return await Promise.race([coming, over, this.#givenUp.promise])
    } finally {
      this.#hasLeft = () => {}
      silent?.clear()
    }
  }

  /** Ends the wait. */
  end(): void {
    this.#inAll?.clear()
    this.#callOff()
    delete this.#recording?.testEnds
  }
}

/** Names a response that is not waited for any longer. */
function warnOfGivenUp(recording: Recording, test: string, isUnread: boolean): void {
  const { incoming, status, response } = recording
  const { method, url } = incoming.wire
  const [state, kept] =
    status === undefined && !response
      ? ['had not arrived', 'Nothing of it is recorded, and a replay gives no response either.']
      : ['had not ended', 'The part that arrived is recorded, and a replay is silent after it.']
  const when = isUnread
    ? `${UNREAD_MS / 1000} seconds after its test, and nothing was reading it`
    : `${AFTER_TEST_MS / 1000} seconds after its test`
  say(
    `[vitest-cassette] The response to ${method} ${printable(url)} ${state} ${when}, so it was given up: "${printable(test)}". ` +
      `${kept} Wait for its end in the test, or cancel the request there.`,
  )
}
