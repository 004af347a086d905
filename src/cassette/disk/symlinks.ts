import { join, relative, sep } from 'node:path'
import { lstatSync } from '../../real/files.ts'
import { isWithin } from '../../config/paths.ts'
import { CACHE_FOLDER } from '../../config/folders.ts'
import { CassetteError } from '../../errors.ts'

/**
 * The first symbolic link on the way from a folder to a file below it. Such a link could lead anywhere.
 *
 * Links on the way to the cache are allowed: pnpm, work trees and CI link `node_modules` and folders in it, and a
 * person who can put a link there can also put code there that tests run. Inside the cache, only this package writes.
 */
export function findSymlink(root: string, file: string): string | undefined {
  const cache = join(root, CACHE_FOLDER)
  let current = file !== cache && isWithin(cache, file) ? cache : root
  for (const segment of relative(current, file).split(sep)) {
    current = join(current, segment)
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink()) return current
  }
  return undefined
}

/**
 * Refuses to write through a link.
 *
 * @throws CassetteError `invalid-cassette`
 */
export function refuseSymlinks(root: string, file: string): void {
  const link = findSymlink(root, file)
  if (link !== undefined)
    throw new CassetteError('invalid-cassette', `${explainSymlink(link)}.\n${INSTEAD_OF_SYMLINK}`)
}

export function explainSymlink(link: string): string {
  return `${link} is a symbolic link, which could lead anywhere`
}

export const INSTEAD_OF_SYMLINK = 'Replace the link by the file or folder itself.'
