import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { sha256 } from '../prompt/sha256.ts'

/** A working directory, whose conversations lie together. */
export interface Workspace {
  directory: string
  /** `<8 hex of the sha256 of the directory>-<its name>`, so that equal names stay apart. */
  folder: string
}

/** The workspace of a directory; the same one by whatever link it was entered. */
export function workspaceOf(directory: string): Workspace {
  const real = realpathSync(directory)
  const name = basename(real).replace(/[^\w.-]/g, '_') || 'root'
  return { directory: real, folder: `${sha256(real).slice(0, 8)}-${name}` }
}
