import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { existsSync, readdirSync } from '../../real/files.ts'

/** One entry of a folder. */
export interface FolderEntry {
  /** Below the folder, with forward slashes; empty for the folder itself. */
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
}

/**
 * Lists all entries of a folder and its subfolders; none for a missing folder. Lists links without following them,
 * because a link may lead out of the folder or back into it. `readdir` with `recursive` follows them.
 */
export function folderEntries(folder: string): FolderEntry[] {
  return existsSync(folder) ? entriesBelow(folder, '') : []
}

function entriesBelow(folder: string, path: string): FolderEntry[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((dirent) => {
    const entry = { path: `${path}${dirent.name}`, kind: kindOf(dirent) }
    return entry.kind === 'folder' ? [entry, ...entriesBelow(folder, `${entry.path}/`)] : [entry]
  })
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}
