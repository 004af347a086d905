import { dirname, join } from 'node:path'
import { displayPath } from '../../../config/paths.ts'
import { foldersOutsideGit, makeOutsideGit, OWNER_ONLY } from '../../../cassette/paths.ts'
import { writeAtomically } from '../../../cassette/write-file.ts'
import type { Folder } from './recording.ts'

/** The copies that one review keeps. Each review has a folder of its own. */
export class Copies {
  readonly #cwd: string
  readonly #name: string

  /** @param time when the review began, ISO 8601 */
  constructor(cwd: string, time: string) {
    this.#cwd = cwd
    this.#name = time.replaceAll(/[:.]/g, '-')
  }

  /**
   * Copies a file of a cassette folder to a place outside of git that only its owner can read.
   *
   * @param path the path below the cassette folder
   * @returns the path of the copy, relative to the working directory of the user
   * @throws the error of the file system, if no folder outside of git can be written
   */
  async keep({ root, dir }: Folder, path: string, bytes: string | Uint8Array): Promise<string> {
    const [own, temporary] = foldersOutsideGit(root, dir, 'rejected')
    try {
      return await this.#keepIn(root, own, path, bytes)
    } catch (error) {
      return await this.#keepIn(root, temporary, path, bytes).catch(() => Promise.reject(error))
    }
  }

  async #keepIn(
    root: string,
    folder: string,
    path: string,
    bytes: string | Uint8Array,
  ): Promise<string> {
    const copy = join(folder, this.#name, path)
    makeOutsideGit(root, dirname(copy))
    await writeAtomically(copy, bytes, OWNER_ONLY)
    return displayPath(this.#cwd, copy)
  }
}
