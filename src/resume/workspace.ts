import { basename, join, resolve } from 'node:path'
import { existsSync, readdirSync, realpathSync } from '../real/files.ts'
import { sha256 } from '../prompt/sha256.ts'

/** A working directory, and the folder of its conversations. */
export interface Workspace {
  directory: string
  /** `<8 hex of the sha256 of the directory>-<its name>`, so that equal names stay apart. */
  folder: string
}

const FOLDER = /^[0-9a-f]{8}-[^/\\]+$/

/**
 * Returns the workspace of a directory, which may no longer exist. A symbolic link to the directory gives the same
 * workspace. The name of a folder in the store is accepted too.
 */
export function workspaceOf(directory: string, store: string): Workspace {
  if (FOLDER.test(basename(directory)) && existsSync(join(store, basename(directory))))
    return { directory, folder: basename(directory) }
  const named = resolve(directory)
  const real = existsSync(named) ? realpathSync(named) : named
  const stored = workspaceFolders(store)
  const found = [real, named].flatMap((one) =>
    stored.filter((folder) => folder.startsWith(hashOf(one))),
  )
  const name = basename(real).replace(/[^\w.-]/g, '_') || 'root'
  // Other programs may spell the name differently, so the hash identifies the folder.
  return { directory: real, folder: found[0] ?? `${hashOf(real)}${name}` }
}

/** The folders of workspaces in a store. */
export function workspaceFolders(store: string): string[] {
  if (!existsSync(store)) return []
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && FOLDER.test(entry.name))
    .map(({ name }) => name)
    .sort()
}

function hashOf(directory: string): string {
  return `${sha256(directory).slice(0, 8)}-`
}
