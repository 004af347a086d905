import type { Recording } from './recording.ts'

/** Work that has begun and not ended yet. */
export class Pending {
  readonly #open: Set<Promise<void>> = new Set()

  /** @param recording the request whose answer is being kept */
  add(work: Promise<void>, recording: Pick<Recording, 'kept'>): void {
    recording.kept = work
    const pending = work.finally(() => this.#open.delete(pending))
    this.#open.add(pending)
  }

  /** Waits until all work has ended, including work that begins meanwhile. */
  async waitForAll(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open)
  }
}
