import { dirname, join } from 'node:path'
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from '../../real/files.ts'
import { isBlob } from '../format/blobs.ts'
import type { JudgedFolder } from './orphans.ts'
import { CassetteStore } from './store.ts'
import { findSymlink } from './symlinks.ts'

/** A file that nothing uses any more. */
export interface Leftover {
  /** Absolute. */
  file: string
  bytes: number
  /** The conversation of an orphan; absent for a file that no cassette refers to. */
  id?: string
}

/** Iterates over paths, and may report progress. */
type Each = (paths: readonly string[]) => Iterable<string>

/** The orphans of a folder, and the files that no cassette refers to once they are gone. */
export function findLeftovers(
  { root, dir, orphans }: JudgedFolder,
  each: Each = (paths) => paths,
): Leftover[] {
  const folder = join(root, dir)
  const cassettes = orphans.map(({ path, id }) => ({ ...measure(join(folder, path)), id }))
  const blobs = unusedBlobs(root, dir, new Set(orphans.map(({ path }) => path)), each)
  return [...cassettes, ...blobs.map((name) => measure(join(folder, 'blobs', name)))]
}

/** Deletes leftovers, and the folders that are empty then. */
export function deleteLeftovers({ root, dir }: JudgedFolder, leftovers: Iterable<Leftover>): void {
  const folder = join(root, dir)
  for (const { file } of leftovers) {
    // A link may have appeared there since the check.
    if (findSymlink(root, file) !== undefined) continue
    rmSync(file)
    for (let parent = dirname(file); parent.length >= folder.length; parent = dirname(parent))
      if (!deleteEmpty(parent)) break
  }
}

function unusedBlobs(
  root: string,
  dir: string,
  orphans: ReadonlySet<string>,
  each: Each,
): string[] {
  const folder = join(root, dir, 'blobs')
  if (findSymlink(root, folder) !== undefined) return []
  const blobs = filesIn(folder).filter((name) => isBlob(name, readFileSync(join(folder, name))))
  if (blobs.length === 0) return []
  // A name in any other file keeps a blob, whether or not that file is a cassette.
  const others = new CassetteStore(root, dir, Infinity).list().filter((path) => !orphans.has(path))
  const texts = Array.from(each(others), (path) => readFileSync(join(root, dir, path)))
  return blobs.filter((name) => !texts.some((text) => text.includes(name)))
}

function filesIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

function measure(file: string): Leftover {
  return { file, bytes: lstatSync(file).size }
}

function deleteEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
