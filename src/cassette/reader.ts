import { basename, join, relative } from '../real/path.ts'
import { pathFrom, slashed } from '../config/paths.ts'
import { CassetteError } from '../errors.ts'
import { tryReadJson } from '../json/json-value.ts'
import { existsSync, lstatSync, readFileSync, statSync } from '../real/files.ts'
import { inRealWorld } from '../real/real-world.ts'
import type { Cassette } from './cassette.ts'
import { decodeCassette, decodeWhenAsked } from './decode.ts'
import type { StoredCassette } from './format/stored.ts'
import { isCassette } from './format/is-cassette.ts'
import { loadAdvice } from './format/load-advice.ts'
import { loadParse } from './format/load-parse.ts'
import { refuseFile } from './format/refuse-file.ts'
import {
  explainSymlink,
  findSymlink,
  folderEntries,
  type FolderEntry,
  INSTEAD_OF_SYMLINK,
} from './paths.ts'
import { readUtf8 } from '../wire/utf8.ts'
import { idOfPlace } from './format/id-of-place.ts'

/** A cassette in each form between the file and the engine. */
export interface OpenedCassette {
  text: string
  stored: StoredCassette
  cassette: Cassette
  /** The names of the files that it refers to. */
  blobs: ReadonlySet<string>
}

/** Stands between the name of a cassette and its problem. */
const CANNOT_READ = ' cannot be read: '

const RECORD_AGAIN =
  'record the test again with RECORD=1, which keeps a copy of the old file outside of git.'

/** The text that Git LFS checks out in the place of a file that it has not downloaded. */
const LFS_POINTER = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\//

/** In bytes. */
const MAX_POINTER = 1024

const A_POINTER = 'a pointer of Git LFS, and its content has not been downloaded'

const OR_FOLLOW = `${INSTEAD_OF_SYMLINK} Or, where a tool that you trust links all files, as Bazel and Nix do: cassettes({ followLinks: true }).`

type ParseCassette = (text: string) => StoredCassette | undefined

/** Reads the cassettes of a folder. Paths are relative to it. */
export class CassetteReader {
  protected readonly root: string
  protected readonly dir: string
  readonly #maxBytes: number
  readonly #parse: ParseCassette
  readonly #followsLinks: boolean

  /**
   * @param root the root of the project
   * @param dir the cassette folder, relative to the root
   * @param maxBytes the size above which a cassette is not read
   * @param parse parses the text of a file; with `undefined`, the file counts as missing
   * @param followsLinks whether to read through symbolic links; nothing is ever written through one
   */
  constructor(
    root: string,
    dir: string,
    maxBytes: number,
    parse: ParseCassette,
    followsLinks: boolean = false,
  ) {
    this.root = root
    this.dir = dir
    this.#maxBytes = maxBytes
    this.#parse = parse
    this.#followsLinks = followsLinks
  }

  /** The path of a cassette as a person would type it, relative to the root. */
  display(path: string): string {
    return slashed(join(this.dir, path))
  }

  /** The path of a cassette relative to the root of its project, which can be another. */
  pathFrom(root: string, path: string): string {
    return pathFrom(root, join(this.root, this.dir, path))
  }

  /** A path of the file system, relative to the cassette folder. */
  pathTo(file: string): string {
    return pathFrom(join(this.root, this.dir), file)
  }

  /** The paths of all cassettes below the folder, sorted; links are not followed. */
  list(): string[] {
    return this.entries()
      .filter(({ path, kind }) => kind === 'file' && path.endsWith('.json'))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('blobs/') && !basename(path).startsWith('.'))
  }

  /** All entries of the folder, sorted by path; links are not followed. */
  entries(): FolderEntry[] {
    const folder = join(this.root, this.dir)
    if (findSymlink(this.root, folder)) return [{ path: '', kind: 'link' }]
    return folderEntries(folder).sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  /**
   * Reads a cassette; `undefined` when there is none.
   *
   * @param replaces whether a fresh recording replaces the cassette, so that invalid content is no error
   * @throws CassetteError `invalid-cassette`, naming file, place and remedy.
   */
  load(path: string, replaces: boolean = false): Cassette | undefined {
    try {
      return this.open(path)?.cassette
    } catch (error) {
      if (replaces && (error as Error).cause) return undefined
      throw error
    }
  }

  /** Decodes a cassette whose bytes were read already, each body when it is first asked for, and throws only then. */
  decode(path: string, bytes: Buffer): Cassette {
    const load = (name: string): Buffer => inRealWorld(() => this.#loadBlob(name))
    const failed = (error: Error): CassetteError =>
      this.#unreadable(path, readUtf8(bytes) ?? '', error)
    try {
      return decodeWhenAsked(parseStored(readText(bytes)), load, failed)
    } catch (error) {
      throw error instanceof Error ? failed(error) : error
    }
  }

  /** Reads a cassette as {@link load} does, and returns its intermediate forms too. */
  open(path: string): OpenedCassette | undefined {
    return this.#read(path, (bytes) => {
      const text = readText(bytes)
      const stored = this.#parse(text)
      if (!stored) return undefined
      const blobs = new Set<string>()
      const cassette = decodeCassette(stored, (name) => {
        blobs.add(name)
        return this.#loadBlob(name)
      })
      return { text, stored, cassette, blobs }
    })
  }

  /** Why a cassette is not read for its size; `undefined` where it is read, or there is none. */
  whyTooLarge(path: string, size: number = this.#sizeOf(path)): string | undefined {
    return size > this.#maxBytes
      ? `it has ${size} bytes, more than the ${this.#maxBytes} that maxCassetteBytes allows`
      : undefined
  }

  #sizeOf(path: string): number {
    return lstatSync(join(this.root, this.dir, path), { throwIfNoEntry: false })?.size ?? 0
  }

  /** Reads a cassette as its file holds it, without the values and blobs that it refers to. */
  readStored(path: string): StoredCassette | undefined {
    return this.#read(path, (bytes) => this.#parse(readText(bytes)))
  }

  #read<Form>(path: string, read: (bytes: Buffer) => Form | undefined): Form | undefined {
    const file = join(this.root, this.dir, path)
    if (!this.#followsLinks) this.refuseSymlinks(file, path, OR_FOLLOW)
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return undefined
    if (!stat.isFile()) throw this.invalid(path, 'it is no file')
    if (stat.size > this.#maxBytes)
      throw this.invalid(path, this.whyTooLarge(path, stat.size)!, loadAdvice().TOO_LARGE)
    let bytes: Buffer | undefined
    try {
      bytes = readFileSync(file)
      return read(bytes)
    } catch (error) {
      const text = (bytes && readUtf8(bytes)) ?? ''
      throw error instanceof Error ? this.#unreadable(path, text, error) : error
    }
  }

  #unreadable(path: string, text: string, error: Error): CassetteError {
    const problem = LFS_POINTER.test(text) ? `it is ${A_POINTER}` : error.message
    const wayOut = problem.endsWith(A_POINTER)
      ? loadAdvice().PULL
      : loadAdvice().adviseOnText(text, this.display(path), RECORD_AGAIN)
    const unreadable = this.invalid(path, problem, wayOut, error)
    // Until V8 formats a stack, it keeps what the functions in it had: the whole cassette.
    void (error.stack && unreadable.stack)
    return unreadable
  }

  #loadBlob(name: string): Buffer {
    const bytes = this.findBlob(name)
    // A picture as short as a pointer is none: only short files are looked at.
    if (bytes && bytes.length < MAX_POINTER && LFS_POINTER.test(bytes.toString('latin1')))
      throw refuseFile(`its file blobs/${name} is ${A_POINTER}`, 'file')
    if (bytes) return bytes
    throw refuseFile(`its file blobs/${name} is missing`, 'file')
  }

  /** Reads a file of the `blobs` folder; `undefined` where there is none. */
  findBlob(name: string): Buffer | undefined {
    const file = join(this.root, this.dir, 'blobs', name)
    if (!this.#followsLinks) this.refuseSymlinks(file, `blobs/${name}`, OR_FOLLOW)
    return existsSync(file) ? readFileSync(file) : undefined
  }

  /** A link in a checked-out cassette folder could lead reads and writes anywhere. */
  protected refuseSymlinks(file: string, path: string, wayOut = INSTEAD_OF_SYMLINK): void {
    const link = findSymlink(this.root, file)
    if (link === undefined) return
    throw this.invalid(path, explainSymlink(relative(this.root, link)), wayOut)
  }

  protected invalid(path: string, problem: string, wayOut?: string, cause?: Error): CassetteError {
    const advice = wayOut ?? `Restore the file from git, or ${RECORD_AGAIN}`
    return new CassetteError(
      'invalid-cassette',
      `The cassette ${this.display(path)}${CANNOT_READ}${problem}.\n${advice}`,
      { cause },
    )
  }
}

/** @throws CassetteError `invalid-cassette` */
function readText(bytes: Buffer): string {
  const text = readUtf8(bytes)
  if (text === undefined) throw refuseFile('it is not UTF-8', 'json')
  return text
}

/** What `read` returns; `undefined` where the cassette cannot be read. */
export function ifReadable<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    if (CassetteError.isInstance(error)) return undefined
    throw error
  }
}

/** The message of an error of {@link CassetteReader} without the name of its cassette. */
export function withoutName({ message }: Error): string {
  const at = message.indexOf(CANNOT_READ)
  return at < 0 ? message : message.slice(at + CANNOT_READ.length)
}

/**
 * Recognises the text of a cassette without loading the schema, which would take longer than the rest of a replay.
 * Returns `undefined` for any other text, and where two exchanges may not have one id; the schema has to judge it.
 */
export function recognizeCassette(text: string): StoredCassette | undefined {
  const { value, isTwice } = tryReadJson(text.replace(/^\uFEFF/, '')) ?? {}
  if (isTwice || !isCassette(value)) return undefined
  const stored = value as unknown as StoredCassette
  return isOfRelease(stored) && haveIds(stored) ? stored : undefined
}

/** Only what a person wrote has another version. */
function isOfRelease({ version, exchanges }: StoredCassette): boolean {
  return version.startsWith('2.') || exchanges.every(({ request }) => !request)
}

/** Reads the text of a cassette. A text that is recognised is valid, and takes a quarter of the time. */
export function parseStored(text: string): StoredCassette {
  return recognizeCassette(text) ?? loadParse().parseCassette(text)
}

/** Whether each exchange has an id of its own. */
function haveIds({ exchanges }: StoredCassette): boolean {
  const ids = new Set<string>()
  for (const [index, { id }] of exchanges.entries()) ids.add(id ?? idOfPlace(index))
  return ids.size === exchanges.length
}
