import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from '../real/path.ts'
import { waitFor } from '../real/clock.ts'
import {
  existsSync,
  isOnDisk,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from '../real/files.ts'

export {
  foldersOutsideGit,
  makeOutsideGit,
  OWNER_ONLY,
  presentOutsideGit,
} from './format/outside-git.ts'

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
    await replaceFile(neighbour, path)
    if (!isOnDisk(path))
      throw new Error(
        'the file system was faked before vitest-cassette was loaded, so nothing reaches the disk. Import vitest-cassette first',
      )
  } catch (error) {
    removeIfPossible(neighbour)
    throw error
  }
}

/** How long a file stays open that a virus scanner, an index or a backup reads, with much to spare. */
const LONGEST_READ_MS = 2_000

/**
 * Renames a file over another. Windows refuses that while any program has the other open, which mostly is over at once.
 *
 * @throws the error of the file system
 */
export async function replaceFile(
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  for (let pause = 10; ; pause *= 2) {
    try {
      return renameSync(from, to)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      const isHeld = platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(code)
      if (!isHeld || pause > LONGEST_READ_MS / 2) throw error
    }
    await waitFor(pause)
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

/** No write takes longer. An older mark is abandoned even if its process id is in use, because ids are reused. */
const LONGEST_WRITE_MS = 60 * 60_000

const MARK = /\.(\d+)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.\w+$/

/** A mark for the name of a file while this process writes it; no other writer has the same. */
export function newMark(): string {
  return `${process.pid}-${randomUUID()}`
}

/** The name of a marked file without its mark; `undefined` for all other files. */
export function nameWithoutMark(name: string): string | undefined {
  const mark = MARK.exec(name)
  return mark ? name.slice(0, mark.index) : undefined
}

/** Whether the process that wrote a marked file or folder has ended, so that nothing will finish it. */
export function isAbandoned(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile() && !stat?.isDirectory()) return false
  const writer = Number(MARK.exec(file)?.[1])
  return !isAlive(writer) || Date.now() - stat.mtimeMs > LONGEST_WRITE_MS
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only asks whether the process exists.
    return process.kill(pid, 0) && !isZombie(pid)
  } catch (error) {
    // The process lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process has ended and its parent has not waited for it, which in a container often never happens. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    // proc_pid_stat(5): the state follows the name, which may hold any character but ends with the last bracket.
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
