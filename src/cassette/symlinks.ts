import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The first symbolic link on the way from a folder to a file below it, which could lead anywhere. */
export function findSymlink(root: string, file: string): string | undefined {
  let current = root
  for (const segment of relative(root, file).split(sep)) {
    current = join(current, segment)
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink()) return current
  }
  return undefined
}
