import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeOutsideGit, OWNER_ONLY } from '../../cassette/write-file.ts'
import { CACHE_FOLDER } from '../../config/paths.ts'
import { readJsonLines } from '../../json/json-lines.ts'
import { appendJsonLine } from '../../secrets/notes.ts'
import { replaceNote } from '../../secrets/replace-note.ts'
import { writeBody } from '../../wire/body.ts'
import { readBody } from '../../wire/read-body.ts'
import type { WireResponse } from '../../wire/message.ts'

export interface PaidRehearsal {
  response: WireResponse
  durationMs: number
}

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

/** The folder of the answers of rehearsals, relative to the working directory of the user. */
const REHEARSE_FOLDER = `${CACHE_FOLDER}/rehearse`

/** For so long the next rehearsal uses the answers of a stopped one. A nightly rehearsal asks again. */
const HOURS = 12

/**
 * The answers of an unfinished rehearsal. Each is written as it arrives, outside of git and readable only by its owner.
 * The next rehearsal uses them instead of asking again.
 */
export class PaidAnswersFile {
  readonly #file: string
  readonly #root: string
  readonly #lines: Map<string, Line>

  constructor(root: string, now: Date = new Date()) {
    this.#root = root
    this.#file = join(root, REHEARSE_FOLDER, 'answers.jsonl')
    const oldest = now.getTime() - HOURS * 3_600_000
    const lines = readJsonLines<Line>(this.#file).filter(({ at }) => Date.parse(at) >= oldest)
    this.#lines = new Map(lines.map((line) => [nameOf(line.key, line.sample), line]))
  }

  find(key: string, sample: number): PaidRehearsal | undefined {
    const line = this.#lines.get(nameOf(key, sample))
    if (!line) return undefined
    const { status, headers, durationMs } = line
    const body = readBody(Buffer.from(line.body, 'base64'), headers['content-type'] ?? '')
    return { response: { status, headers, body }, durationMs }
  }

  /** Writes an answer to the file at once. */
  add(key: string, sample: number, { response, durationMs }: PaidRehearsal): void {
    const { status, headers } = response
    const body = Buffer.concat(writeBody(response.body)).toString('base64')
    const line = { key, sample, at: new Date().toISOString(), status, headers, body, durationMs }
    this.#lines.set(nameOf(key, sample), line)
    makeOutsideGit(this.#root, dirname(this.#file))
    appendJsonLine(this.#file, line, { mode: OWNER_ONLY })
  }

  /** Deletes the answers of a finished rehearsal, so that the next one asks again. */
  async forget(keys: Iterable<string>): Promise<void> {
    const done = new Set(keys)
    const left = [...this.#lines.values()].filter(({ key }) => !done.has(key))
    if (!existsSync(this.#file)) return
    const text = left.map((line) => `\n${JSON.stringify(line)}`).join('')
    await replaceNote(this.#file, text, OWNER_ONLY)
  }
}

function nameOf(key: string, sample: number): string {
  return `${key} ${sample}`
}
