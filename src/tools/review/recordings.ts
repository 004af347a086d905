import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import { deleteLeftovers, findLeftovers } from '../../cassette/leftovers.ts'
import {
  foldersOutsideGit,
  makeOutsideGit,
  OWNER_ONLY,
  refuseSymlinks,
} from '../../cassette/paths.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { writeAtomically } from '../../cassette/write-file.ts'
import { displayPath, pathFrom } from '../../config/paths.ts'
import { CassetteError } from '../../errors.ts'
import { keepUnchanged } from '../../recording/keep-unchanged.ts'
import type { CassetteComparison } from '../compare/compare-cassettes.ts'
import type { Git } from '../programs/git.ts'

/** A cassette folder of a project. */
export interface Folder {
  /** The root of the project, absolute. */
  root: string
  /** The cassette folder, relative to the root. */
  dir: string
}

/** A recording that waits for a verdict. */
export interface PendingRecording {
  comparison: CassetteComparison
  /** The text when it was compared; empty if the file is gone. */
  text: string
  folder: Folder
  /** Whether it lies outside of git, because its test failed or was interrupted. */
  isKept: boolean
  /** Makes it the cassette of its test. */
  accept(): Promise<void>
  /**
   * Reverts the recording, and keeps a copy of it.
   *
   * @returns the path of the copy, relative to the user's working directory; `undefined` if there was nothing to copy
   * @throws an error if the file changed since it was compared, or the copy cannot be written; nothing has changed then
   */
  reject(): Promise<string | undefined>
}

/** Options of git: no hooks, and paths without wildcards. */
const QUIETLY = ['-c', 'core.hooksPath=/dev/null', '--literal-pathspecs']

/** A cassette of the working tree that differs from the last commit. */
export class TreeRecording implements PendingRecording {
  readonly isKept = false
  readonly comparison: CassetteComparison
  readonly text: string
  readonly folder: Folder
  readonly #git: Git
  readonly #copies: Copies

  /** The path of the cassette folder, relative to the working directory of the user. */
  readonly #dir: string

  constructor(
    place: { comparison: CassetteComparison; text: string; folder: Folder; dir: string },
    git: Git,
    copies: Copies,
  ) {
    this.comparison = place.comparison
    this.text = place.text
    this.folder = place.folder
    this.#dir = place.dir
    this.#git = git
    this.#copies = copies
  }

  /** Does nothing: the recording is in its place already. */
  async accept(): Promise<void> {}

  async reject(): Promise<string | undefined> {
    const { name, was } = this.comparison
    const isNew = this.comparison.changes.some(
      ({ kind, place }) => kind === 'added' && place.of === 'cassette' && !place.inside,
    )
    const file = join(this.#git.cwd, name)
    refuseSymlinks(this.#git.cwd, file)
    const now = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (now !== this.text)
      throw new CassetteError('invalid-command', `${name} has changed since it was compared`)
    const path = name.slice(this.#dir.length)
    const copy = now === '' ? undefined : await this.#copies.keep(this.folder, path, now)
    if (isNew || was !== undefined) {
      this.#run('rm', '--quiet', '--cached', '--ignore-unmatch', '--', name)
      await rm(file, { force: true })
    }
    if (!isNew) this.#restore(was ?? name)
    return copy
  }

  /** Restores a file from the last commit, in the index too, so that a rejected recording is not committed. */
  #restore(name: string): void {
    this.#run('checkout', '--quiet', 'HEAD', '--', name)
    for (const blob of blobsIn(readFileSync(join(this.#git.cwd, name), 'utf8'))) {
      const path = `${this.#dir}blobs/${blob}`
      // Pictures that the rejected recording did not need may be gone.
      if (!existsSync(join(this.#git.cwd, path)))
        this.#git.try([...QUIETLY, 'checkout', '--quiet', 'HEAD', '--', path])
    }
  }

  #run(...words: string[]): void {
    this.#git.run([...QUIETLY, ...words])
  }
}

/** Files that are kept outside of git, and the cassette that is made of them. */
interface KeptFiles {
  store: CassetteStore
  /** The path below the cassette folder. */
  path: string
  cassette: Cassette
  /** The absolute paths of the kept files. */
  files: readonly string[]
}

/** The recording of a test that failed, or that was interrupted. */
export class KeptRecording implements PendingRecording {
  readonly isKept = true
  readonly comparison: CassetteComparison
  readonly text: string
  readonly folder: Folder
  readonly #kept: KeptFiles
  readonly #copies: Copies

  constructor(
    place: { comparison: CassetteComparison; text: string; folder: Folder },
    kept: KeptFiles,
    copies: Copies,
  ) {
    this.comparison = place.comparison
    this.text = place.text
    this.folder = place.folder
    this.#kept = kept
    this.#copies = copies
  }

  async accept(): Promise<void> {
    const { store, path, cassette } = this.#kept
    await store.save(path, cassette, keepUnchanged())
    await this.#deleteFiles()
  }

  async reject(): Promise<string | undefined> {
    const { files, path } = this.#kept
    let copy: string | undefined
    for (const file of files) {
      const name = file.endsWith(path) ? path : `${path}.${basename(file)}`
      const kept = await this.#copies.keep(this.folder, name, readFileSync(file))
      copy ??= kept
    }
    await this.#deleteFiles()
    return copy
  }

  async #deleteFiles(): Promise<void> {
    for (const file of this.#kept.files) await rm(file, { force: true })
  }
}

/** The copies that one review keeps. Each review has a folder of its own. */
export class Copies {
  readonly #cwd: string
  readonly #name: string

  /** @param time when the review began, ISO 8601 */
  constructor(cwd: string, time: string) {
    this.#cwd = cwd
    this.#name = time.replaceAll(/[:.]/g, '-')
  }

  /**
   * Copies a file of a cassette folder to a place outside of git that only its owner can read.
   *
   * @param path the path below the cassette folder
   * @returns the path of the copy, relative to the working directory of the user
   * @throws the error of the file system, if no folder outside of git can be written
   */
  async keep({ root, dir }: Folder, path: string, bytes: string | Uint8Array): Promise<string> {
    const [own, temporary] = foldersOutsideGit(root, dir, 'rejected')
    try {
      return await this.#keepIn(root, own, path, bytes)
    } catch (error) {
      return await this.#keepIn(root, temporary, path, bytes).catch(() => Promise.reject(error))
    }
  }

  async #keepIn(
    root: string,
    folder: string,
    path: string,
    bytes: string | Uint8Array,
  ): Promise<string> {
    const copy = join(folder, this.#name, path)
    makeOutsideGit(root, dirname(copy))
    await writeAtomically(copy, bytes, OWNER_ONLY)
    return displayPath(this.#cwd, copy)
  }
}

/** The names of the files that a cassette refers to. */
export function blobsIn(text: string): string[] {
  return Array.from(text.matchAll(/\b[0-9a-f]{64}\.[a-z0-9]{2,5}\b/g), ([name]) => name)
}

/** Moves pictures of rejected recordings to their copies, unless a cassette needs them or the last commit has them. */
export async function moveLeftPictures(
  rejected: readonly PendingRecording[],
  git: Git,
  copies: Copies,
): Promise<void> {
  const folders = Map.groupBy(rejected, ({ folder: { root, dir } }) => `${root}\n${dir}`)
  for (const [first, ...others] of folders.values()) {
    const { folder } = first!
    const names = new Set([first!, ...others].flatMap(({ text }) => blobsIn(text)))
    if (names.size === 0) continue
    const left = findLeftovers({ ...folder, orphans: [] }).filter(
      ({ file }) => names.has(basename(file)) && !isInHead(file, git),
    )
    for (const { file } of left) {
      await copies.keep(folder, `blobs/${basename(file)}`, readFileSync(file))
      git.try(['rm', '--quiet', '--cached', '--ignore-unmatch', '--', file])
    }
    deleteLeftovers({ ...folder, orphans: [] }, left)
  }
}

function isInHead(file: string, git: Git): boolean {
  const path = pathFrom(git.cwd, file)
  return git.try(['cat-file', '-e', `HEAD:./${path}`]) !== undefined
}
