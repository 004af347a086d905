import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAbandoned, nameWithoutMark, newMark } from './writer-mark.ts'

/**
 * Writes a file atomically: it always has either the old or the new content, whole. Writes and flushes a neighbour,
 * then renames it over the file. Replaces a symlink instead of following it.
 *
 * @param mode the permissions of the file, before the umask
 * @throws the error of the file system; the old file is then untouched.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode: number = 0o666,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const neighbour = join(dirname(path), `.${basename(path)}.${newMark()}.tmp`)
  try {
    await writeFile(neighbour, content, { flag: 'wx', flush: true, mode })
    await rename(neighbour, path)
  } catch (error) {
    await rm(neighbour, { force: true }).catch(() => {})
    throw error
  }
}

/** Deletes the files and folders that killed writers left in a folder. */
export async function sweepLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith('.') || !name.endsWith('.tmp') || nameWithoutMark(name) === undefined)
      continue
    const file = join(folder, name)
    // An error does no harm: another run may sweep at the same time.
    if (isAbandoned(file)) await rm(file, { recursive: true, force: true }).catch(() => {})
  }
}
