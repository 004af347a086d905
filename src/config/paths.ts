import { isAbsolute, relative, sep } from '../real/path.ts'

/** How this system writes paths. Tests give `path.win32` and `path.posix` of Node. */
const native = { isAbsolute, relative, sep }

type PathsOf = typeof native

/** A path with slashes, as it is stored and printed on every system. */
export function slashed(path: string, { sep }: PathsOf = native): string {
  return path.split(sep).join('/')
}

/** The path from a folder to a file, with slashes on every system. */
export function pathFrom(folder: string, file: string, system: PathsOf = native): string {
  return slashed(system.relative(folder, file), system)
}

/** Whether a path lies in a folder, or is the folder itself. */
export function isWithin(folder: string, path: string, system: PathsOf = native): boolean {
  const below = system.relative(folder, path)
  return !system.isAbsolute(below) && below.split(system.sep)[0] !== '..'
}

/** A path as a person would type it: relative to the root if it lies below. */
export function displayPath(root: string, path: string): string {
  return isWithin(root, path) ? pathFrom(root, path) : slashed(path)
}

/** The default folder of cassettes. */
export const CASSETTE_FOLDER = '__recordings__'

/** The folder for a project's files that are not for git, relative to its root. */
export const CACHE_FOLDER = 'node_modules/.cache/vitest-cassette'

/** The folder in which Node keeps the compiled code of what workers load. */
export const COMPILED_FOLDER: string = `${CACHE_FOLDER}/compiled`

/** The folder of paid answers that are in no cassette yet. */
export const JOURNAL_FOLDER: string = `${CACHE_FOLDER}/journal`

/** The default folder of a report. */
export const REPORT_FOLDER = 'cassette-report'

/** The names of a config by which Vitest takes a folder for the root of a project. */
export const CONFIG_FILE: RegExp = /^(?:vite|vitest)\.config\.[cm]?[jt]s$/
