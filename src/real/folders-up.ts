import { existsSync } from './files.ts'
import { dirname, join } from './path.ts'

/** A folder and those above it, up to the root of its repository. */
export function foldersUp(folder: string): string[] {
  const parent = dirname(folder)
  if (parent === folder || existsSync(join(folder, '.git'))) return [folder]
  return [folder, ...foldersUp(parent)]
}
