/** Standard error, as far as progress is said there. */
export interface ProgressStream {
  /** Whether a line that was written can be written again: in a terminal. */
  isLive: boolean
  columns?: number
  write(text: string): void
}

/** Who waits for less needs to hear nothing. */
const PATIENCE_MS = 2_000

/** So often a line is written anew in a terminal, and a further one elsewhere. */
const EVERY_MS = { live: 100, plain: 10_000 }

/** Goes back to the beginning of the line, and clears it. */
const CLEAR = '\r\u001B[2K'

/**
 * Says how far a command is that takes long, for people alone: one line that is rewritten in a terminal and goes when
 * the work ends, a line now and then elsewhere.
 */
export class Progress {
  readonly #stream: ProgressStream
  readonly #now: () => number
  #next: number
  #isShown = false

  /** @param now the time in milliseconds; from here on it counts */
  constructor(stream: ProgressStream, now: () => number = () => performance.now()) {
    this.#stream = stream
    this.#now = now
    this.#next = now() + PATIENCE_MS
  }

  /** Gives each item to be worked on. `done` says what is done then: `cassettes verified`. */
  *over<Item>(items: readonly Item[], done: string): Generator<Item> {
    const began = this.#now()
    const count = items.length.toLocaleString('en')
    try {
      for (const [index, item] of items.entries()) {
        this.#say(`${index.toLocaleString('en')} of ${count} ${done}`, began)
        yield item
      }
    } finally {
      this.clear()
    }
  }

  /** Waits for work that does not say how far it is, or for which somebody else says it. */
  async during<Result>(work: Promise<Result>, doing: string | (() => string)): Promise<Result> {
    const began = this.#now()
    const timer = setInterval(() => this.#say(doing, began), EVERY_MS.live)
    try {
      return await work
    } finally {
      clearInterval(timer)
      this.clear()
    }
  }

  /** Makes room for what is written by others. */
  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR)
    this.#isShown = false
  }

  #say(what: string | (() => string), began: number): void {
    const now = this.#now()
    if (now < this.#next) return
    const { isLive, columns = Infinity } = this.#stream
    const text = typeof what === 'string' ? what : what()
    const line = `${text}, ${Math.round((now - began) / 1_000)} s`
    // A line that is broken in two would not go again.
    this.#stream.write(isLive ? CLEAR + line.slice(0, columns - 1) : `${line}\n`)
    this.#isShown = isLive
    this.#next = now + (isLive ? EVERY_MS.live : EVERY_MS.plain)
  }
}
