/** Work that has begun and not ended yet. */
export class Pending {
  readonly #open: Set<Promise<void>> = new Set()

  add(work: Promise<void>): void {
    const pending = work.finally(() => this.#open.delete(pending))
    this.#open.add(pending)
  }

  /** Waits until all work has ended, including work that begins meanwhile. */
  async waitForAll(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open)
  }
}
