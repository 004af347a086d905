import { timeLimit } from '../../../real/next-turn.ts'

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
