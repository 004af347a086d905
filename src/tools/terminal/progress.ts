/** The part of standard error that progress uses. */
export interface ProgressStream {
  /** Whether a line can be rewritten, as in a terminal. */
  isLive: boolean
  columns?: number
  write(text: string): void
}

/** A command shows no progress before this time. */
const PATIENCE_MS = 2_000

/** How often a line is rewritten in a terminal, and how often one is added elsewhere. */
const EVERY_MS = { live: 100, plain: 10_000 }

/** Goes back to the beginning of the line, and clears it. */
const CLEAR = '\r\u001B[2K'

/**
 * Shows people the progress of a long command: in a terminal, one line that is rewritten and cleared when the work
 * ends; elsewhere, a line now and then.
 */
export class Progress {
  readonly #stream: ProgressStream
  readonly #now: () => number
  readonly #began: number
  #next: number
  #isShown = false

  /** @param now gives the time in milliseconds; {@link PATIENCE_MS} counts from the construction on */
  constructor(stream: ProgressStream, now: () => number = () => performance.now()) {
    this.#stream = stream
    this.#now = now
    this.#began = now()
    this.#next = this.#began + PATIENCE_MS
  }

  /** Yields each item, and shows how many are done. `done` names them: `cassettes verified`. */
  *over<Item>(items: readonly Item[], done: string): Generator<Item> {
    const began = this.#now()
    const count = items.length.toLocaleString('en')
    try {
      for (const [index, item] of items.entries()) {
        this.#print(`${index.toLocaleString('en')} of ${count} ${done}`, began)
        yield item
      }
    } finally {
      this.clear()
    }
  }

  /** Waits for work, and shows `doing` meanwhile: a fixed text, or a function that tells the current state. */
  async during<Result>(work: Promise<Result>, doing: string | (() => string)): Promise<Result> {
    const began = this.#now()
    const timer = setInterval(() => this.#print(doing, began), EVERY_MS.live)
    try {
      return await work
    } finally {
      clearInterval(timer)
      this.clear()
    }
  }

  /** Shows how far work has come that nothing can be done beside. */
  tell(doing: string): void {
    this.#print(doing, this.#began)
  }

  /** Clears the line, before other output is written. */
  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR)
    this.#isShown = false
  }

  #print(what: string | (() => string), began: number): void {
    const now = this.#now()
    if (now < this.#next) return
    const { isLive, columns = Infinity } = this.#stream
    const text = typeof what === 'string' ? what : what()
    const line = `${text}, ${Math.round((now - began) / 1_000)} s`
    // A wrapped line could not be cleared.
    this.#stream.write(isLive ? CLEAR + line.slice(0, columns - 1) : `${line}\n`)
    this.#isShown = isLive
    this.#next = now + (isLive ? EVERY_MS.live : EVERY_MS.plain)
  }
}
