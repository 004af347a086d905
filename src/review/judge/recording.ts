import type { Comparison } from '../compare-cassettes.ts'

/** A cassette folder of a project. */
export interface Folder {
  /** The root of the project, absolute. */
  root: string
  /** The cassette folder, relative to the root. */
  dir: string
}

/** A recording that waits to be judged. */
export interface Recording {
  comparison: Comparison
  /** As it was when it was compared; empty where it is gone. */
  text: string
  folder: Folder
  /** Whether it lies outside of git, since its test failed. */
  isKept: boolean
  /** Makes it the cassette of its test. */
  accept(): Promise<void>
  /**
   * Takes it back, and keeps a copy of it.
   *
   * @returns where the copy lies, from where the user stands; `undefined` where there was nothing to copy
   * @throws an error where it is not as it was compared, or the file system does not take the copy; nothing has changed then
   */
  reject(): Promise<string | undefined>
}
