import type { ReadStream } from 'node:tty'
import type { Keys } from './command.ts'

/** The characters that a terminal in raw mode sends for Ctrl-C and Ctrl-D. */
const ENDS = new Set(['\u0003', '\u0004'])

/**
 * Reads single keys of a terminal in raw mode. Ctrl-C is a key then, so that it does not end the process in the middle
 * of work. Raw mode ends when the keys are closed, and when the process ends in any way that Node sees. Libraries for
 * prompts end it after each question: keys that are typed ahead are lost then, and Ctrl-C ends the process.
 */
export class TerminalKeys implements Keys {
  readonly #stdin: ReadStream
  readonly #pressed: string[] = []
  #waiting: ((key: string) => void) | undefined
  #isOver = false

  constructor(stdin: ReadStream) {
    this.#stdin = stdin
    this.#open()
  }

  next(): Promise<string> {
    const key = this.#pressed.shift() ?? (this.#isOver ? 'ctrl-c' : undefined)
    if (key !== undefined) return Promise.resolve(key)
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    this.close()
    try {
      return await work()
    } finally {
      this.#open()
    }
  }

  close(): void {
    this.#stdin.off('data', this.#read)
    this.#stdin.off('end', this.#end)
    if (!this.#isOver) this.#stdin.setRawMode(false)
    this.#stdin.pause()
  }

  #open(): void {
    if (this.#isOver) return
    this.#stdin.setRawMode(true)
    this.#stdin.on('data', this.#read)
    this.#stdin.on('end', this.#end)
    this.#stdin.resume()
  }

  readonly #read = (chunk: Buffer | string): void => {
    const text = String(chunk)
    // A key such as an arrow is several characters.
    for (const key of text.startsWith('\u001b') ? [text] : text)
      this.#press(ENDS.has(key) ? 'ctrl-c' : key.toLowerCase())
  }

  /** The terminal is gone. */
  readonly #end = (): void => {
    this.#isOver = true
    this.#press('ctrl-c')
  }

  #press(key: string): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) waiting(key)
    else this.#pressed.push(key)
  }
}
