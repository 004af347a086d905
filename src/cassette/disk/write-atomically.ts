import { basename, dirname, join } from 'node:path'
import {
  existsSync,
  isOnDisk,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from '../../real/files.ts'
import { isAbandoned, nameWithoutMark, newMark } from './writer-mark.ts'

/**
 * Writes a file atomically: it always has either the old or the new content, whole. Writes and flushes a neighbour,
 * then renames it over the file. Replaces a symlink instead of following it. A test sees nothing of it: see
 * `real/files.ts`.
 *
 * @param mode the permissions of the file, before the umask
 * @throws the error of the file system; the old file is then untouched.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode: number = 0o666,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const neighbour = join(dirname(path), `.${basename(path)}.${newMark()}.tmp`)
  try {
    writeFileSync(neighbour, content, { flag: 'wx', flush: true, mode })
    renameSync(neighbour, path)
    if (!isOnDisk(path))
      throw new Error(
        'the file system was faked before vitest-cassette was loaded, so nothing reaches the disk. Import vitest-cassette first',
      )
  } catch (error) {
    removeIfPossible(neighbour)
    throw error
  }
}

/** Deletes the files and folders that killed writers left in a folder. */
export async function sweepLeftovers(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.startsWith('.') || !name.endsWith('.tmp') || nameWithoutMark(name) === undefined)
      continue
    const file = join(folder, name)
    // Another run may sweep at the same time.
    if (isAbandoned(file)) removeIfPossible(file)
  }
}

/** Removes a file or folder. An error does no harm. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // It stays.
  }
}
