import { randomUUID } from 'node:crypto'
import { basename, join } from '../real/path.ts'
import { realTime } from '../real/clock.ts'
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from '../real/files.ts'
import { displayPath } from '../config/paths.ts'
import type { ParamValues } from '../config/check-params.ts'
import { sha256 } from '../prompt/sha256.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { encodeAlone } from './encode.ts'
import type { StoredExchange } from './format.ts'
import {
  foldersOutsideGit,
  makeOutsideGit,
  OWNER_ONLY,
  presentOutsideGit,
} from './format/outside-git.ts'
import { isAbandoned, nameWithoutMark, newMark } from './write-file.ts'

/** A paid answer and its request, before a cassette holds them. */
export interface PaidAnswer {
  /** The position of the request among all requests of the test. */
  order: number
  /** When its response ended, as a number of the same counter. */
  ended?: number | undefined
  /** The number of the repeat of its test, from 2 on. */
  sample?: number | undefined
  /** The prompt hash of the request in its run. */
  hash: string
  /** The prompt hash of the previous request on the same socket. */
  after?: string
  request: WireRequest
  response: WireResponse
  durationMs?: number
  /** Whether its test had ended when it was asked: replay refuses such a request. */
  late?: boolean
  /** The names of the credentials that the user stores as they are. */
  keep?: readonly string[]
  /** The values of the parameters that the exchange writes as `{{name}}`. */
  params?: ParamValues
}

/** The cassette that the answers belong to. */
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
  /** When the answer arrived, ISO 8601. */
  time: string
  exchange: StoredExchange
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

/** A name that is unique in all folders, unlike the name of a cassette. */
export function journalName(path: string): string {
  return `${basename(path, '.json')}-${sha256(path).slice(0, 8)}`
}

/**
 * Keeps the answers of one attempt in a file of JSON lines outside of git, from their arrival until their cassette is
 * written. It does not flush: data handed to the operating system survives any end of the process.
 */
export class Journal {
  readonly #place: JournalPlace
  /** The candidate files; the journal writes the first that it can. */
  #files: readonly string[] = []
  #written?: string
  /** The file that is written, open until the end: each answer is one write. */
  #descriptor?: number
  #ended = false

  constructor(place: JournalPlace) {
    this.#place = place
  }

  /**
   * Adds an answer. A later answer with the same order replaces it; after the end, answers are ignored.
   *
   * @throws the error of the file system, where neither of the two folders can be written.
   */
  append(answer: PaidAnswer): void {
    if (this.#ended) return
    // Each line begins with the line break, so a torn line spoils no other and never parses as an object.
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

  /** The path of the answers as a person would type it; `undefined` where there are none. */
  get display(): string | undefined {
    return this.#written && displayPath(this.#place.root, this.#written)
  }

  /** Whether the answers could not be kept below `node_modules`. */
  get isElsewhere(): boolean {
    return this.#written !== undefined && this.#written === this.#files[1]
  }

  /** Deletes the answers once their cassette is written. */
  delete(): void {
    this.#end()
    if (this.#written === undefined) return
    for (const file of this.#files) rmSync(file, { force: true })
    this.#written = undefined
  }

  /** Also deletes the answers of earlier attempts, once the recording is complete. */
  deleteAll(): void {
    this.delete()
    const { root, dir, path } = this.#place
    for (const file of journalFiles(root, dir))
      if (basename(file).startsWith(`${journalName(path)}.`) && !isBeingWritten(file))
        rmSync(file, { force: true })
  }

  /** Leaves the answers to `recover`, even while this process still runs. */
  release(): void {
    this.#end()
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

  #end(): void {
    this.#ended = true
    this.#close()
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #open(): [string, string] {
    if (this.#files.length === 0) {
      const { root, dir, path } = this.#place
      const name = `${journalName(path)}.${newMark()}.jsonl`
      this.#files = foldersOutsideGit(root, dir, 'journal').map((folder) => join(folder, name))
    }
    return this.#files as [string, string]
  }

  #lineOf({ request, response, ...rest }: PaidAnswer): JournalLine {
    const { path, id } = this.#place
    const time = realTime().toISOString()
    return { path, id, time, ...rest, exchange: encodeAlone({ request, response }) }
  }

  #write(file: string, text: string): void {
    if (this.#written !== file || this.#descriptor === undefined) {
      this.#close()
      makeOutsideGit(this.#place.root, join(file, '..'))
      this.#descriptor = openSync(file, 'a', OWNER_ONLY)
    }
    appendFileSync(this.#descriptor, text)
    this.#written = file
  }
}
