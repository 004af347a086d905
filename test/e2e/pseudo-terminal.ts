import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { vi } from 'vitest'

/** A terminal of 100 columns, by `script` of util-linux, in which a shell runs one command line, and a person who reads and presses keys. */
export class PseudoTerminal implements AsyncDisposable {
  /** All that the terminal has shown. */
  output = ''
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<unknown>

  constructor(cwd: string, line: string, env: Record<string, string>) {
    this.#child = spawn('script', ['-qefc', `stty cols 100 rows 40; ${line}`, '/dev/null'], {
      cwd,
      env: { ...process.env, TERM: 'xterm', CI: '', GITHUB_ACTIONS: '', ...env },
    })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    this.#closed = once(this.#child, 'close')
  }

  /** Waits until the terminal shows a text. */
  async shows(text: string | RegExp): Promise<void> {
    const isThere = (): boolean =>
      typeof text === 'string' ? this.output.includes(text) : text.test(this.output)
    await vi.waitUntil(isThere, { timeout: 60_000, interval: 20 }).catch(() => {
      throw new Error(`The terminal never showed ${String(text)}, but:\n${this.output}`)
    })
  }

  press(keys: string): void {
    this.#child.stdin.write(keys)
  }

  /** Waits for the end of the command line. */
  async ends(): Promise<void> {
    await this.#closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end()
    this.#child.kill()
    await this.#closed
  }
}
