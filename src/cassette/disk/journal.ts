import { randomUUID } from 'node:crypto'
import { appendFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ParamValues } from '../../config/check-params.ts'
import { sha256 } from '../../prompt/sha256.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { encodeExchanges } from '../format/encode-cassette.ts'
import type { StoredExchange } from '../format/format.ts'
import {
  displayPath,
  foldersOutsideGit,
  makeOutsideGit,
  OWNER_ONLY,
  presentOutsideGit,
} from './outside-git.ts'
import { isAbandoned, nameWithoutMark, newMark } from './writer-mark.ts'

/** An answer that was paid for, and its request, before they have a place in a cassette. */
export interface PaidAnswer {
  /** Where the request stands among all that the test asked. */
  order: number
  /** The prompt hash of the request in its run. */
  hash: string
  /** The hash of what was sent before on the same socket. */
  after?: string
  request: WireRequest
  response: WireResponse
  durationMs?: number
  /** What says `{{name}}` in it. */
  params?: ParamValues
}

/** The cassette for which answers are meant. */
export interface JournalPlace {
  /** The root of the project. */
  root: string
  /** The cassette folder, relative to the root. */
  dir: string
  /** The path of the cassette, below the cassette folder. */
  path: string
  /** `<test file> > <suite> > <test>`. */
  id: string
}

/** One line of a journal. */
export interface JournalLine extends Omit<PaidAnswer, 'request' | 'response'> {
  path: string
  id: string
  /** When the answer had arrived, ISO 8601. */
  time: string
  exchange: StoredExchange
  /** The files that the exchange refers to, in base64. */
  blobs: Record<string, string>
}

/** The journals of a cassette folder. */
export function journalFiles(root: string, dir: string): string[] {
  return presentOutsideGit(root, dir, 'journal').flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(folder, name)),
  )
}

/** Whether the attempt that writes a journal is still running. */
export function isBeingWritten(file: string): boolean {
  return nameWithoutMark(file) !== undefined && !isAbandoned(file)
}

/** Unlike the name of a cassette it is unique in all folders. */
function journalName(path: string): string {
  return `${basename(path, '.json')}-${sha256(path).slice(0, 8)}`
}

/**
 * Keeps the answers of one attempt outside of git from the moment at which they arrived until their
 * cassette is written: a file of JSON lines. It is not flushed: what was handed to the operating system
 * survives the end of the process, whichever that is.
 */
export class Journal {
  readonly #place: JournalPlace
  /** The files that there may be, the first that can be written. */
  #files: readonly string[] = []
  #written?: string
  #ended = false

  constructor(place: JournalPlace) {
    this.#place = place
  }

  /**
   * Adds an answer. A later one with the same order takes its place; what comes after the end is ignored.
   *
   * @throws the error of the file system, where neither of the two folders can be written.
   */
  append(answer: PaidAnswer): void {
    if (this.#ended) return
    // Begins with the line break: what is torn spoils no other line, and never reads as an object.
    const text = `\n${JSON.stringify(this.#lineOf(answer))}`
    const [own, temporary] = this.#open()
    try {
      this.#write(own, text)
    } catch (error) {
      try {
        this.#write(temporary, text)
      } catch {
        throw error
      }
    }
  }

  /** Where the answers are, as a person would type it; `undefined` where there are none. */
  get display(): string | undefined {
    return this.#written && displayPath(this.#place.root, this.#written)
  }

  /** Whether the answers could not be kept below `node_modules`. */
  get isElsewhere(): boolean {
    return this.#written !== undefined && this.#written === this.#files[1]
  }

  /** Deletes the answers: they are written. */
  delete(): void {
    this.#ended = true
    if (this.#written === undefined) return
    for (const file of this.#files) rmSync(file, { force: true })
    this.#written = undefined
  }

  /** Deletes the answers of earlier attempts too: what they were for is recorded whole. */
  deleteAll(): void {
    this.delete()
    const { root, dir, path } = this.#place
    for (const file of journalFiles(root, dir))
      if (basename(file).startsWith(`${journalName(path)}.`) && !isBeingWritten(file))
        rmSync(file, { force: true })
  }

  /** Leaves the answers to `recover`, also while this process lives. */
  release(): void {
    this.#ended = true
    for (const file of this.#files) {
      const name = `${journalName(this.#place.path)}.${randomUUID()}.jsonl`
      const released = join(file, '..', name)
      try {
        renameSync(file, released)
      } catch {
        continue
      }
      if (this.#written === file) this.#written = released
    }
  }

  #open(): [string, string] {
    const { root, dir, path } = this.#place
    const name = `${journalName(path)}.${newMark()}.jsonl`
    if (this.#files.length === 0)
      this.#files = foldersOutsideGit(root, dir, 'journal').map((folder) => join(folder, name))
    return this.#files as [string, string]
  }

  #lineOf({ request, response, ...rest }: PaidAnswer): JournalLine {
    const { path, id } = this.#place
    const wire = { request, response }
    // Without a readable half and an id, nothing is looked for that could be referred to.
    const prompt = { text: '', hash: '', metadata: {} }
    const exchange = { id: '', prompt, response: { text: '' }, wire }
    const time = new Date().toISOString()
    const { exchanges, blobs } = encodeExchanges([exchange])
    const files = Array.from(blobs, ([name, bytes]) => [name, bytes.toString('base64')])
    return {
      path,
      id,
      time,
      ...rest,
      exchange: exchanges[0]!,
      blobs: Object.fromEntries(files) as Record<string, string>,
    }
  }

  #write(file: string, text: string): void {
    if (this.#written !== file) makeOutsideGit(this.#place.root, join(file, '..'))
    appendFileSync(file, text, { mode: OWNER_ONLY })
    this.#written = file
  }
}
