import { timeLimit } from '../patch/next-turn.ts'

/** So long something is waited for that is no longer wanted: while nothing comes, and in all. */
const SILENT_MS = 1_000
const IN_ALL_MS = 5_000

/** Waits for an answer: as long as it takes while its client does, and not much longer once that has left. */
export class Patience {
  #inAll?: ReturnType<typeof timeLimit>
  #hasLeft = (): void => {}

  /** The client waits no longer. */
  leave(): void {
    if (this.#inAll) return
    this.#inAll = timeLimit(IN_ALL_MS)
    this.#hasLeft()
  }

  /** What comes; `undefined` where nothing comes any more for a client that has left. */
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

  /** Nothing is waited for any more. */
  end(): void {
    this.#inAll?.clear()
  }
}
