import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import { deleteLeftovers, findLeftovers } from '../../cassette/leftovers.ts'
import { refuseSymlinks } from '../../cassette/paths.ts'
import { foldersOutsideGit, makeOutsideGit, OWNER_ONLY } from '../../cassette/write-file.ts'
import { writeAtomically } from '../../cassette/write-file.ts'
import { displayPath, pathFrom } from '../../config/paths.ts'
import { CassetteError } from '../../errors.ts'
import { keepUnchanged } from '../../recording/keep-unchanged.ts'
import type { CassetteComparison } from '../compare/compare-cassettes.ts'
import type { Git } from '../programs/git.ts'
import type { Recovery } from '../sources/plan-recovery.ts'
import { saveCassette } from '../sources/save-cassette.ts'
import type { Terminal } from '../terminal/command.ts'

/** A cassette folder of a project. */
export interface Folder {
  /** The root of the project, absolute. */
  root: string
  /** The cassette folder, relative to the root. */
  dir: string
  /** The prefix of its files, from the working directory of the user: `packages/a/__recordings__/`. */
  way: string
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
export function treeRecording(
  place: Pick<PendingRecording, 'comparison' | 'text' | 'folder'>,
  git: Git,
  keepCopy: KeepCopy,
): PendingRecording {
  const { comparison, text, folder } = place
  const { name, was } = comparison
  const isNew = comparison.changes.some(
    ({ kind, place: { of, inside } }) => kind === 'added' && of === 'cassette' && !inside,
  )
  const run = (...words: string[]): void => void git.run([...QUIETLY, ...words])
  const pathOf = (path: string): string => join(git.cwd, path)

  /** Restores a file from the last commit, in the index too, so that a rejected recording is not committed. */
  function restore(path: string): void {
    run('checkout', '--quiet', 'HEAD', '--', path)
    for (const blob of blobsIn(readFileSync(pathOf(path), 'utf8'))) {
      const picture = `${folder.way}blobs/${blob}`
      // Pictures that the rejected recording did not need may be gone.
      if (!existsSync(pathOf(picture)))
        git.try([...QUIETLY, 'checkout', '--quiet', 'HEAD', '--', picture])
    }
  }

  return {
    ...place,
    isKept: false,
    // The recording is in its place already.
    accept: async () => {},
    async reject() {
      const file = pathOf(name)
      refuseSymlinks(git.cwd, file)
      const now = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (now !== text)
        throw new CassetteError('invalid-command', `${name} has changed since it was compared`)
      const copy =
        now === '' ? undefined : await keepCopy(folder, name.slice(folder.way.length), now)
      if (isNew || was !== undefined) {
        run('rm', '--quiet', '--cached', '--ignore-unmatch', '--', name)
        await rm(file, { force: true })
      }
      if (!isNew) restore(was ?? name)
      return copy
    },
  }
}

/** The recording of a test that failed, or that was interrupted. */
export function keptRecording(
  place: Pick<PendingRecording, 'comparison' | 'text' | 'folder'>,
  { store, path, files }: Pick<Recovery, 'store' | 'path' | 'files'>,
  cassette: Cassette,
  keepCopy: KeepCopy,
  terminal: Pick<Terminal, 'warn'>,
): PendingRecording {
  const deleteFiles = async (): Promise<void> => {
    for (const file of files) await rm(file, { force: true })
  }
  return {
    ...place,
    isKept: true,
    async accept() {
      await saveCassette({ store, path }, cassette, terminal, keepUnchanged())
      await deleteFiles()
    },
    async reject() {
      let copy: string | undefined
      for (const file of files) {
        const name = file.endsWith(path) ? path : `${path}.${basename(file)}`
        const kept = await keepCopy(place.folder, name, readFileSync(file))
        copy ??= kept
      }
      await deleteFiles()
      return copy
    },
  }
}

/**
 * Copies a file of a cassette folder to a place outside of git that only its owner can read.
 *
 * @param path the path below the cassette folder
 * @returns the path of the copy, relative to the working directory of the user
 * @throws the error of the file system, if no folder outside of git can be written
 */
export type KeepCopy = (folder: Folder, path: string, bytes: string | Uint8Array) => Promise<string>

/** Keeps the copies of one review. Each review has a folder of its own, named by the time when it began. */
export function copiesOfReview(cwd: string): KeepCopy {
  const name = new Date().toISOString().replaceAll(/[:.]/g, '-')
  return (folder, path, bytes) =>
    writeOutsideGit(folder, 'rejected', async (kept) => {
      const copy = join(kept, name, path)
      makeOutsideGit(folder.root, dirname(copy))
      await writeAtomically(copy, bytes, OWNER_ONLY)
      return displayPath(cwd, copy)
    })
}

/** Writes to the first folder outside of git that can be written. */
export async function writeOutsideGit<Result>(
  { root, dir }: Folder,
  kind: 'rejected' | 'reviewed',
  write: (folder: string) => Promise<Result>,
): Promise<Result> {
  const [own, temporary] = foldersOutsideGit(root, dir, kind)
  return write(own).catch((error) => write(temporary).catch(() => Promise.reject(error)))
}

function blobsIn(text: string): string[] {
  return Array.from(text.matchAll(/\b[0-9a-f]{64}\.[a-z0-9]{2,5}\b/g), ([name]) => name)
}

/** Moves pictures of rejected recordings to their copies, unless a cassette needs them or the last commit has them. */
export async function moveLeftPictures(
  rejected: readonly PendingRecording[],
  git: Git,
  keepCopy: KeepCopy,
): Promise<void> {
  const folders = Map.groupBy(rejected, ({ folder }) => folder.way)
  for (const [first, ...others] of folders.values()) {
    const { folder } = first!
    const names = new Set([first!, ...others].flatMap(({ text }) => blobsIn(text)))
    if (names.size === 0) continue
    const left = findLeftovers({ ...folder, orphans: [] }).filter(
      ({ file }) => names.has(basename(file)) && !isInHead(file, git),
    )
    for (const { file } of left) {
      await keepCopy(folder, `blobs/${basename(file)}`, readFileSync(file))
      git.try(['rm', '--quiet', '--cached', '--ignore-unmatch', '--', file])
    }
    deleteLeftovers({ ...folder, orphans: [] }, left)
  }
}

function isInHead(file: string, git: Git): boolean {
  const path = pathFrom(git.cwd, file)
  return git.try(['cat-file', '-e', `HEAD:./${path}`]) !== undefined
}
