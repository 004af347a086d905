import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeOutsideGit, OWNER_ONLY } from '../cassette/disk/outside-git.ts'
import { writeAtomically } from '../cassette/disk/write-atomically.ts'
import { CACHE_FOLDER } from '../config/folders.ts'
import { readBody, writeBody } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'

/** An answer that was paid for. */
export interface KeptAnswer {
  response: WireResponse
  durationMs: number
}

/** As it stands in the file. */
interface Line {
  key: string
  sample: number
  at: string
  status: number
  headers: Record<string, string>
  /** Base64. */
  body: string
  durationMs: number
}

/** Where the answers of rehearsals are, relative to where the user stands. */
const REHEARSE_FOLDER = `${CACHE_FOLDER}/rehearse`

/** What a rehearsal that stopped has paid for is of use to the next one for so long; a night later it is asked anew. */
const HOURS = 12

/**
 * The answers of a rehearsal that is not finished: each is written as it arrives, outside of git and for its owner alone. The
 * next rehearsal takes them in the place of asking.
 */
export class KeptAnswers {
  readonly #file: string
  readonly #root: string
  readonly #lines: Map<string, Line>

  constructor(root: string, now: Date = new Date()) {
    this.#root = root
    this.#file = join(root, REHEARSE_FOLDER, 'answers.jsonl')
    const oldest = now.getTime() - HOURS * 3_600_000
    const lines = readLines(this.#file).filter(({ at }) => Date.parse(at) >= oldest)
    this.#lines = new Map(lines.map((line) => [nameOf(line.key, line.sample), line]))
  }

  /** The answer to a question, if it is there. */
  find(key: string, sample: number): KeptAnswer | undefined {
    const line = this.#lines.get(nameOf(key, sample))
    if (!line) return undefined
    const { status, headers, durationMs } = line
    const body = readBody(Buffer.from(line.body, 'base64'), headers['content-type'] ?? '')
    return { response: { status, headers, body }, durationMs }
  }

  /** Keeps an answer, at once. */
  add(key: string, sample: number, { response, durationMs }: KeptAnswer): void {
    const { status, headers } = response
    const body = Buffer.concat(writeBody(response.body)).toString('base64')
    const line = { key, sample, at: new Date().toISOString(), status, headers, body, durationMs }
    this.#lines.set(nameOf(key, sample), line)
    makeOutsideGit(this.#root, dirname(this.#file))
    // Begins with the line break: what is torn spoils no other line.
    appendFileSync(this.#file, `\n${JSON.stringify(line)}`, { mode: OWNER_ONLY })
  }

  /** Forgets the answers of a rehearsal that has ended: the next one asks anew. */
  async forget(keys: Iterable<string>): Promise<void> {
    const done = new Set(keys)
    const left = [...this.#lines.values()].filter(({ key }) => !done.has(key))
    if (!existsSync(this.#file)) return
    const text = left.map((line) => `\n${JSON.stringify(line)}`).join('')
    await writeAtomically(this.#file, text, OWNER_ONLY)
  }
}

function nameOf(key: string, sample: number): string {
  return `${key} ${sample}`
}

function readLines(file: string): Line[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        const line = JSON.parse(text) as Partial<Line>
        return typeof line.key === 'string' && typeof line.body === 'string' ? [line as Line] : []
      } catch {
        return []
      }
    })
}
