import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { CassetteError } from '../errors.ts'
import type { Cassette } from './cassette.ts'
import { decodeCassette, encodeCassette, type EncodedCassette } from './codec.ts'
import { keepFigures } from './keep-figures.ts'
import { parseCassette } from './parse.ts'
import { printCassette } from './print.ts'
import { writeAtomically } from './write-atomically.ts'

/** Paid answers that may not be saved are kept here, outside git. */
const PARKED = 'node_modules/.cache/vitest-cassette/parked'

const SCHEMA = 'node_modules/vitest-cassette/cassette.schema.json'

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
    const folder = join(this.#root, this.#dir)
    if (!existsSync(folder)) return []
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !path.startsWith('blobs/') && !basename(path).startsWith('.'))
      .sort()
  }

  /**
   * Reads a cassette; `undefined` when there is none.
   *
   * @throws CassetteError `invalid-cassette`, naming file, place and way out.
   */
  load(path: string): Cassette | undefined {
    const file = join(this.#root, this.#dir, path)
    this.#refuseSymlinks(file, path)
    if (!existsSync(file)) return undefined
    const { size } = lstatSync(file)
    if (size > this.#maxBytes) {
      throw this.#invalid(
        path,
        `it has ${size} bytes, more than the ${this.#maxBytes} that maxCassetteBytes allows`,
        'Raise the option maxCassetteBytes if the file is what you expect.',
      )
    }
    try {
      return decodeCassette(parseCassette(readFileSync(file, 'utf8')), (name) =>
        this.#loadBlob(name),
      )
    } catch (error) {
      if (!(error instanceof Error)) throw error
      throw this.#invalid(path, error.message, undefined, error)
    }
  }

  /**
   * Writes a cassette whole or not at all. A file that would not change is not touched.
   *
   * @throws CassetteError `invalid-cassette` when the folder leads elsewhere, or the file system's own error.
   */
  async save(path: string, cassette: Cassette): Promise<void> {
    const file = join(this.#root, this.#dir, path)
    this.#refuseSymlinks(file, path)
    await this.#write(this.#dir, path, cassette)
  }

  /** Keeps a recording that may not become the cassette; returns its path, relative to the root. */
  async park(path: string, cassette: Cassette): Promise<string> {
    await this.#write(PARKED, path, cassette)
    return `${PARKED}/${path}`
  }

  async #write(dir: string, path: string, cassette: Cassette): Promise<void> {
    const file = join(this.#root, dir, path)
    const schema = relative(join(file, '..'), join(this.#root, SCHEMA)).split(sep).join('/')
    const encoded = encodeCassette(cassette, schema)
    await this.#writeBlobs(dir, encoded)
    const old = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const text = printCassette(encoded.stored)
    const settled = old === undefined ? text : keepFigures(old, text)
    if (settled !== old) await writeAtomically(file, settled)
  }

  async #writeBlobs(dir: string, { blobs }: EncodedCassette): Promise<void> {
    for (const [name, bytes] of blobs) {
      const file = join(this.#root, dir, 'blobs', name)
      // The name is the hash of the content, so what exists is what would be written.
      if (!existsSync(file)) await writeAtomically(file, bytes)
    }
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
    let current = this.#root
    for (const segment of relative(this.#root, file).split(sep)) {
      current = join(current, segment)
      if (!lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink()) continue
      throw this.#invalid(
        path,
        `${relative(this.#root, current)} is a symbolic link, which could lead anywhere`,
        'Replace the link by the file or folder itself.',
      )
    }
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
