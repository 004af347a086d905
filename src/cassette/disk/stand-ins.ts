import { join, resolve } from 'node:path'
import { sha256 } from '../../prompt/sha256.ts'

/**
 * The folder of the cassettes that are replayed in the place of those of a cassette folder, where there are any.
 *
 * @param folder where a run has its stand-ins
 */
export function standInFolder(folder: string, root: string, dir: string): string {
  return join(folder, sha256(resolve(root, dir)).slice(0, 16))
}
