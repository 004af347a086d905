import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { CassetteError } from '../errors.ts'
import type { Invalidation } from '../config/why-invalid.ts'
import type { Cassette } from './cassette.ts'
import { decodeCassette, encodeCassette, type EncodedCassette } from './codec.ts'
import { folderEntries, type FolderEntry } from './folder-entries.ts'
import type { StoredCassette } from './format.ts'
import { keepFigures } from './keep-figures.ts'
import {
  ASKED_PICTURES,
  displayPath,
  foldersOutsideGit,
  makeOutsideGit,
  OWNER_ONLY,
} from './outside-git.ts'
import { parseCassette } from './parse.ts'
import { printCassette } from './print.ts'
import { printMarked } from './print-marked.ts'
import { findSymlink } from './symlinks.ts'
import { sweepLeftovers, writeAtomically } from './write-atomically.ts'

const SCHEMA = 'node_modules/vitest-cassette/cassette.schema.json'

/** A cassette in each form between the file and the engine. */
export interface OpenedCassette {
  text: string
  stored: StoredCassette
  cassette: Cassette
  /** The names of the files that it refers to. */
  blobs: ReadonlySet<string>
}

/** How a cassette is written. */
type Writing = { mode?: number; renews?: boolean }

/** The only reader and writer of cassettes. Paths are relative to the cassette folder. */
export class CassetteStore {
  readonly #root: string
  readonly #dir: string
  readonly #maxBytes: number

  /**
   * @param root the root of the project
   * @param dir the cassette folder, relative to the root
   * @param maxBytes the size above which a cassette is not read
   */
  constructor(root: string, dir: string, maxBytes: number) {
    this.#root = root
    this.#dir = dir
    this.#maxBytes = maxBytes
  }

  /** The path of a cassette as a person would type it, relative to the root. */
  display(path: string): string {
    return join(this.#dir, path).split(sep).join('/')
  }

  /** The paths of all cassettes below the folder, sorted; links are not followed. */
  list(): string[] {
    return this.entries()
      .filter(({ path, kind }) => kind === 'file' && path.endsWith('.json'))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('blobs/') && !basename(path).startsWith('.'))
  }

  /** All that lies in the folder, sorted by path; links are not followed. */
  entries(): FolderEntry[] {
    const folder = join(this.#root, this.#dir)
    if (findSymlink(this.#root, folder)) return [{ path: '', kind: 'link' }]
    return folderEntries(folder).sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  /**
   * Reads a cassette; `undefined` when there is none.
   *
   * @throws CassetteError `invalid-cassette`, naming file, place and way out.
   */
  load(path: string): Cassette | undefined {
    return this.open(path)?.cassette
  }

  /** Reads a cassette as {@link load} does, with the forms that it goes through. */
  open(path: string): OpenedCassette | undefined {
    const file = join(this.#root, this.#dir, path)
    this.#refuseSymlinks(file, path)
    if (!existsSync(file)) return undefined
    const stat = lstatSync(file)
    const { size } = stat
    if (!stat.isFile()) throw this.#invalid(path, 'it is no file')
    if (size > this.#maxBytes) {
      throw this.#invalid(
        path,
        `it has ${size} bytes, more than the ${this.#maxBytes} that maxCassetteBytes allows`,
        'Raise the option maxCassetteBytes if the file is what you expect.',
      )
    }
    try {
      const blobs = new Set<string>()
      const text = decodeText(readFileSync(file))
      const stored = parseCassette(text)
      const cassette = decodeCassette(stored, (name) => {
        blobs.add(name)
        return this.#loadBlob(name)
      })
      return { text, stored, cassette, blobs }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      throw this.#invalid(path, error.message, undefined, error)
    }
  }

  /**
   * Writes a cassette whole or not at all. A file that would not change is not touched.
   *
   * @param renews takes the place of an invalid recording, of which no date and no mark is kept
   * @throws CassetteError `invalid-cassette` when the folder leads elsewhere, or the file system's own error.
   */
  async save(path: string, cassette: Cassette, renews: boolean = false): Promise<void> {
    const file = join(this.#root, this.#dir, path)
    this.#refuseSymlinks(file, path)
    await this.#write(join(this.#root, this.#dir), path, cassette, { renews })
    // What was kept of a failed attempt is of no use any more.
    for (const folder of this.#parked) await rm(join(folder, path), { force: true }).catch(() => {})
  }

  /**
   * Marks a cassette as invalid, or takes the mark back. Nothing else changes: an edit by hand still shows.
   *
   * @throws CassetteError `invalid-cassette` where there is none that can be read.
   */
  async mark(path: string, invalid: Invalidation | undefined): Promise<void> {
    const opened = this.open(path)
    if (!opened) throw this.#invalid(path, 'there is none')
    await writeAtomically(join(this.#root, this.display(path)), printMarked(opened.stored, invalid))
  }

  /**
   * Keeps a recording that may not become the cassette; returns its path as a person would type it.
   *
   * @throws the error of the file system, where no folder outside of git can be written.
   */
  async park(path: string, cassette: Cassette): Promise<string> {
    const [own, temporary] = this.#parked
    try {
      return await this.#parkIn(own, path, cassette)
    } catch (error) {
      return await this.#parkIn(temporary, path, cassette).catch(() => Promise.reject(error))
    }
  }

  get #parked(): [string, string] {
    return foldersOutsideGit(this.#root, this.#dir, 'parked')
  }

  async #parkIn(folder: string, path: string, cassette: Cassette): Promise<string> {
    makeOutsideGit(this.#root, folder)
    await this.#write(folder, path, cassette, { mode: OWNER_ONLY })
    return displayPath(this.#root, join(folder, path))
  }

  /**
   * Keeps pictures that a failure names, for a person to open.
   *
   * @throws the error of the file system.
   */
  async keepAsked(pictures: ReadonlyArray<{ name: string; bytes: Uint8Array }>): Promise<void> {
    const folder = join(this.#root, ASKED_PICTURES)
    if (pictures.length > 0) makeOutsideGit(this.#root, folder)
    for (const { name, bytes } of pictures)
      await writeAtomically(join(folder, name), bytes, OWNER_ONLY)
  }

  async #write(folder: string, path: string, cassette: Cassette, how: Writing): Promise<void> {
    const { mode, renews } = how
    const file = join(folder, path)
    const schema = relative(join(file, '..'), join(this.#root, SCHEMA)).split(sep).join('/')
    const encoded = encodeCassette(cassette, schema)
    await this.#writeBlobs(join(folder, 'blobs'), encoded, mode)
    const old = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const text = printCassette(encoded.stored)
    const settled = old === undefined || renews ? text : keepFigures(old, text)
    if (settled === old) return
    await writeAtomically(file, settled, mode)
    await sweepLeftovers(dirname(file))
  }

  async #writeBlobs(folder: string, { blobs }: EncodedCassette, mode?: number): Promise<void> {
    // The name is the hash of the content, so what exists is what would be written.
    const missing = [...blobs].filter(([name]) => !existsSync(join(folder, name)))
    for (const [name, bytes] of missing) await writeAtomically(join(folder, name), bytes, mode)
    if (missing.length > 0) await sweepLeftovers(folder)
  }

  #loadBlob(name: string): Buffer {
    const file = join(this.#root, this.#dir, 'blobs', name)
    this.#refuseSymlinks(file, `blobs/${name}`)
    if (!existsSync(file))
      throw new CassetteError('invalid-cassette', `its file blobs/${name} is missing`)
    return readFileSync(file)
  }

  /** A link in a checked-out cassette folder could lead reads and writes anywhere. */
  #refuseSymlinks(file: string, path: string): void {
    const link = findSymlink(this.#root, file)
    if (link === undefined) return
    throw this.#invalid(
      path,
      `${relative(this.#root, link)} is a symbolic link, which could lead anywhere`,
      'Replace the link by the file or folder itself.',
    )
  }

  #invalid(path: string, problem: string, wayOut?: string, cause?: Error): CassetteError {
    const advice =
      wayOut ?? 'Restore the file from git, or delete it and record the test again with RECORD=1.'
    return new CassetteError(
      'invalid-cassette',
      `The cassette ${this.display(path)} cannot be read: ${problem}.\n${advice}`,
      { cause },
    )
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CassetteError('invalid-cassette', 'it is not UTF-8')
  }
}
