import type { CassetteComparison } from '../../compare/compare-cassettes.ts'

/** A cassette folder of a project. */
export interface Folder {
  /** The root of the project, absolute. */
  root: string
  /** The cassette folder, relative to the root. */
  dir: string
}

/** A recording that waits for a verdict. */
export interface PendingRecording {
  comparison: CassetteComparison
  /** The text when it was compared; empty if the file is gone. */
  text: string
  folder: Folder
  /** Whether it lies outside of git, because its test failed or was interrupted. */
  isKept: boolean
  /** Makes it the cassette of its test. */
  accept(): Promise<void>
  /**
   * Reverts the recording, and keeps a copy of it.
   *
   * @returns the path of the copy, relative to the user's working directory; `undefined` if there was nothing to copy
   * @throws an error if the file changed since it was compared, or the copy cannot be written; nothing has changed then
   */
  reject(): Promise<string | undefined>
}
