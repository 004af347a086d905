import { tmpdir } from '../../real/os.ts'
import { join, relative, resolve } from '../../real/path.ts'
import { CACHE_FOLDER } from '../../config/paths.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { existsSync, lstatSync, mkdirSync } from '../../real/files.ts'
import { findSymlink, refuseSymlinks } from '../paths.ts'

/** The kinds of data kept outside of git, for their owner alone because they may hold a secret. */
export type KeptKind =
  /** Each paid answer, until its cassette is written. */
  | 'journal'
  /** Recordings that may not become a cassette. */
  | 'parked'
  /** Files that a recording replaced and that could not be read. */
  | 'unreadable'
  /** Recordings that a review turned down. */
  | 'rejected'
  /** The changes that a review accepted. */
  | 'reviewed'

export const OWNER_ONLY = 0o600

/**
 * The two folders for data outside of git, to be tried in order: below `node_modules`, which every project ignores,
 * and in the folder for temporary files.
 *
 * @param dir the cassette folder, relative to the root
 */
export function foldersOutsideGit(root: string, dir: string, kind: KeptKind): [string, string] {
  const normal = relative(root, resolve(root, dir))
  const name = join(kind, normal.replace(/[^\w-]+/g, '-'))
  return [join(root, CACHE_FOLDER, name), join(temporaryFolder(root), name)]
}

/**
 * Makes a folder outside of git.
 *
 * @throws the error of the file system, or an error if another user owns the folder or a link lies on the way to it.
 */
export function makeOutsideGit(root: string, folder: string): void {
  const temporary = temporaryFolder(root)
  if (baseOf(root, folder) === temporary) {
    mkdirSync(temporary, { recursive: true, mode: 0o700 })
    if (!isOwn(temporary))
      throw Object.assign(new Error(`${temporary} belongs to another user`), { code: 'EPERM' })
  }
  refuseSymlinks(baseOf(root, folder), folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/** The folders outside of git that exist and that no other user controls. */
export function presentOutsideGit(root: string, dir: string, kind: KeptKind): string[] {
  const [own, temporary] = foldersOutsideGit(root, dir, kind)
  const isTrusted = isOwn(temporaryFolder(root))
  return [own, ...(isTrusted ? [temporary] : [])].filter(
    (folder) => existsSync(folder) && findSymlink(baseOf(root, folder), folder) === undefined,
  )
}

/** The folder from which on the way to a folder is checked for links. */
function baseOf(root: string, folder: string): string {
  const temporary = temporaryFolder(root)
  return folder.startsWith(temporary) ? temporary : root
}

/** Any user can make a folder among temporary files, and its name can be guessed. */
function isOwn(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && (!process.getuid || stat.uid === process.getuid())
}

function temporaryFolder(root: string): string {
  return join(tmpdir(), `vitest-cassette-${sha256(root).slice(0, 16)}`)
}
