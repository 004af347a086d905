import { join, resolve } from 'node:path'
import { sha256 } from '../../prompt/sha256.ts'

/**
 * The folder of the cassettes that a run replays in place of those of a cassette folder, if it has any.
 *
 * @param folder the folder with all stand-ins of a run
 */
export function standInFolder(folder: string, root: string, dir: string): string {
  return join(folder, sha256(resolve(root, dir)).slice(0, 16))
}
