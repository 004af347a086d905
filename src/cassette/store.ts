import { dirname, join } from '../real/path.ts'
import type { Invalidation } from '../config/option-values.ts'
import { displayPath, pathFrom } from '../config/paths.ts'
import { existsSync, readFileSync, rmSync } from '../real/files.ts'
import { type Cassette, type Exchange, isRecorded, sampleIn } from './cassette.ts'
import type { EncodedCassette } from './encode.ts'
import { loadOtherHead } from './format/load-other-head.ts'
import { loadReadBack } from './format/load-read-back.ts'
import type { RawExchange } from './format/read-back.ts'
import { ASKED_PICTURES, refuseSymlinks } from './paths.ts'
import { loadSamples } from './format/load-samples.ts'
import { foldersOutsideGit, makeOutsideGit, OWNER_ONLY } from './format/outside-git.ts'
import { CassetteReader, parseStored } from './reader.ts'
import { removeIfPossible, sweepLeftovers, writeAtomically } from './write-file.ts'

const SCHEMA = 'node_modules/vitest-cassette/cassette.schema.json'

/** What a person has to know of a cassette that was written. */
export interface Saved {
  /** The path of the copy of a replaced file that could not be read. */
  unreadable?: string
  /** The exchanges that are stored as raw bytes. */
  raw: readonly RawExchange[]
}

/** Merges a new recording with the old one, and returns the cassette to store. */
export type MergeCassettes = (old: Cassette, fresh: Cassette) => Cassette

/** Reads and writes cassettes; nothing else writes them. Paths are relative to the cassette folder. */
export class CassetteStore extends CassetteReader {
  readonly #sample: number | undefined

  /**
   * @param root the root of the project
   * @param dir the cassette folder, relative to the root
   * @param maxBytes the size above which a cassette is not read
   * @param sample the sample of a test that is written, and which leaves the other samples as they are; without it,
   * whole cassettes are written
   */
  constructor(root: string, dir: string, maxBytes: number, sample?: number) {
    super(root, dir, maxBytes, parseStored)
    this.#sample = sample
  }

  /**
   * Writes a cassette whole or not at all. Does not touch a file that would not change.
   *
   * @param merge merges the cassette with an existing one; by default, the cassette is stored as given
   * @throws CassetteError `invalid-cassette` if a symbolic link leads elsewhere, or the error of the file system.
   */
  async save(path: string, cassette: Cassette, merge?: MergeCassettes): Promise<Saved> {
    const file = join(this.root, this.dir, path)
    this.refuseSymlinks(file, path)
    const isThere = existsSync(file)
    const before = isThere ? this.#openIfReadable(path) : undefined
    const kept = isThere && !before ? await this.#keepUnreadable(file, path) : undefined
    const merged = before ? this.#joined(file, before, cassette, merge) : cassette
    const raw = await this.#write(join(this.root, this.dir), path, merged)
    // The recording of a failed attempt is now of no use.
    for (const folder of this.#parked) await this.#removeParked(folder, path)
    return { raw, ...(kept === undefined ? {} : { unreadable: kept }) }
  }

  #joined(file: string, old: Cassette, fresh: Cassette, merge?: MergeCassettes): Cassette {
    const number = this.#sample
    const hasOthers = old.exchanges.some(({ sample = 1 }) => sample !== number)
    if (number === undefined || !hasOthers) return merge ? merge(old, fresh) : fresh
    return loadSamples().mergeSample(file, old, fresh, number, merge)
  }

  async #removeParked(folder: string, path: string): Promise<void> {
    const others =
      this.#sample !== undefined && existsSync(join(folder, path))
        ? loadSamples().withoutSample(this.#openParked(folder, path), this.#sample)
        : undefined
    if (others) return void (await this.#write(folder, path, others, OWNER_ONLY))
    for (const file of [path, keepFile(path)]) removeIfPossible(join(folder, file))
  }

  /** Copies the file: a person may still need parts of it, such as after a conflict. */
  async #keepUnreadable(file: string, path: string): Promise<string | undefined> {
    const bytes = readFileSync(file)
    for (const folder of foldersOutsideGit(this.root, this.dir, 'unreadable')) {
      const copy = join(folder, path)
      try {
        makeOutsideGit(this.root, dirname(copy))
        await writeAtomically(copy, bytes, OWNER_ONLY)
        return displayPath(this.root, copy)
      } catch {
        // Try the next folder. Git has the file too.
      }
    }
    return undefined
  }

  /**
   * Marks a cassette as invalid, or takes the mark back. Nothing else changes: an edit by hand still shows.
   *
   * @throws CassetteError `invalid-cassette` where there is none that can be read.
   */
  async mark(path: string, invalid: Invalidation | undefined): Promise<void> {
    const opened = this.open(path)
    if (!opened) throw this.invalid(path, 'there is none')
    await writeAtomically(
      join(this.root, this.display(path)),
      loadOtherHead().printMarked(opened.stored, invalid),
    )
  }

  /**
   * Gives a cassette to another test. Nothing else changes: an edit by hand still shows.
   *
   * @throws CassetteError `invalid-cassette` where there is none that can be read, or the other test has one.
   */
  async move(path: string, to: string, conversationId: string): Promise<void> {
    const opened = this.open(path)
    if (!opened) throw this.invalid(path, 'there is none')
    const file = join(this.root, this.dir, to)
    this.refuseSymlinks(file, to)
    if (existsSync(file))
      throw this.invalid(to, 'it is there already', 'Delete it to move another one there.')
    const text = loadOtherHead().printRenamed(opened.stored, conversationId, this.#schemaFrom(file))
    await writeAtomically(file, text)
    rmSync(join(this.root, this.dir, path))
  }

  /**
   * Keeps a recording that may not become the cassette, in the place of an earlier one: of errors alone, it replaces no
   * answer that was paid for. Returns the path of what is kept, as a person would type it.
   *
   * @param keep the names of the credentials that the user stores as they are
   * @throws the error of the file system, where no folder outside of git can be written.
   */
  async park(path: string, cassette: Cassette, keep: readonly string[] = []): Promise<string> {
    const [own, temporary] = this.#parked
    try {
      return await this.#parkIn(own, path, cassette, keep)
    } catch (error) {
      return await this.#parkIn(temporary, path, cassette, keep).catch(() => Promise.reject(error))
    }
  }

  get #parked(): [string, string] {
    return foldersOutsideGit(this.root, this.dir, 'parked')
  }

  async #parkIn(
    folder: string,
    path: string,
    cassette: Cassette,
    keep: readonly string[],
  ): Promise<string> {
    const kept = join(folder, path)
    const before = existsSync(kept) ? this.#openParked(folder, path) : undefined
    const number = this.#sample ?? 1
    const own = before && sampleIn(before, number)
    if (!holdsPaid(cassette.exchanges) && holdsPaid(own)) return displayPath(this.root, kept)
    makeOutsideGit(this.root, dirname(kept))
    const whole = before ? loadSamples().joinSamples(before, cassette, number) : cassette
    await this.#write(folder, path, whole, OWNER_ONLY)
    const names = join(folder, keepFile(path))
    if (keep.length > 0) await writeAtomically(names, JSON.stringify(keep), OWNER_ONLY)
    else removeIfPossible(names)
    return displayPath(this.root, kept)
  }

  #openParked(folder: string, path: string): Cassette | undefined {
    return new CassetteStore(folder, '.', Infinity).#openIfReadable(path)
  }

  /**
   * Keeps pictures that a failure names, for a person to open.
   *
   * @throws the error of the file system.
   */
  async keepAsked(pictures: ReadonlyArray<{ name: string; bytes: Uint8Array }>): Promise<void> {
    const folder = join(this.root, ASKED_PICTURES)
    if (pictures.length > 0) makeOutsideGit(this.root, folder)
    for (const { name, bytes } of pictures)
      await writeAtomically(join(folder, name), bytes, OWNER_ONLY)
  }

  /** Resolves to the exchanges that are stored as raw bytes. */
  async #write(
    folder: string,
    path: string,
    cassette: Cassette,
    mode?: number,
  ): Promise<readonly RawExchange[]> {
    const file = join(folder, path)
    const encoded = loadReadBack().encodeReadably(cassette, this.#schemaFrom(file))
    await this.#writeBlobs(join(folder, 'blobs'), encoded, mode)
    const old = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const { text, raw } = encoded
    if (text === old) return raw
    await writeAtomically(file, text, mode)
    await sweepLeftovers(dirname(file))
    return raw
  }

  #schemaFrom(file: string): string {
    return pathFrom(dirname(file), this.#schema)
  }

  /** Searches upwards, because a hoisted package is not installed below the root of the project. */
  get #schema(): string {
    let folder = this.root
    while (!existsSync(join(folder, SCHEMA)) && folder !== dirname(folder)) folder = dirname(folder)
    return join(existsSync(join(folder, SCHEMA)) ? folder : this.root, SCHEMA)
  }

  /** Returns `undefined` for a file that cannot be read; then a recording keeps nothing of it. */
  #openIfReadable(path: string): Cassette | undefined {
    try {
      return this.load(path)
    } catch {
      return undefined
    }
  }

  async #writeBlobs(folder: string, { blobs }: EncodedCassette, mode?: number): Promise<void> {
    for (const name of blobs.keys()) refuseSymlinks(dirname(folder), join(folder, name))
    // The name is the hash of the content, so an existing file already has this content.
    const missing = [...blobs].filter(([name]) => !existsSync(join(folder, name)))
    for (const [name, bytes] of missing) await writeAtomically(join(folder, name), bytes, mode)
    if (missing.length > 0) await sweepLeftovers(folder)
  }
}

/** What lies beside a parked recording: the names of the credentials that the user stores as they are. */
export function keepFile(path: string): string {
  return path.replace(/\.json$/, '.keep')
}

/** Whether a recording holds an answer that is no error: providers charge nothing for those. */
function holdsPaid(exchanges: readonly Exchange[] = []): boolean {
  return exchanges.some((one) => isRecorded(one) && one.wire.response.status < 400)
}

/**
 * Tells which exchanges are stored as raw bytes; `undefined` where none is.
 *
 * @param shown the cassette, as people know it
 */
export function describeRaw(shown: string, raw: readonly RawExchange[]): string | undefined {
  if (raw.length === 0) return undefined
  const all = raw.map(({ id, why }) => `${id} (${why})`).join(', ')
  return (
    `${shown}: ${all} could not be read back as recorded, so its bodies are stored as raw bytes\n` +
    'It replays as recorded, but its diffs are hard to read. This is a fault of vitest-cassette (internal): please report it.'
  )
}

/** The meaning and the remedy of each error code of the file system. */
const REASONS: Record<string, [what: string, wayOut: string]> = {
  ENOSPC: ['the disk is full', 'Make room'],
  EDQUOT: ['the quota of the disk is used up', 'Make room'],
  EROFS: ['its folder is read-only', 'Make the folder writable'],
  EACCES: ['this user may not write its folder', 'Make the folder writable'],
  EPERM: ['this user may not write its folder', 'Make the folder writable'],
  EBUSY: ['another program has it open', 'Close that program'],
}

/** The reason why a file could not be written, and the remedy. */
export function whyUnwritten(
  error: Error,
  platform: NodeJS.Platform = process.platform,
): [what: string, wayOut: string] {
  const { code = '' } = error as NodeJS.ErrnoException
  if (platform === 'win32' && code === 'EPERM')
    return ['another program has it open, or it is read-only', 'Close that program']
  return REASONS[code] ?? [error.message.split('\n')[0]!, 'Settle that']
}
