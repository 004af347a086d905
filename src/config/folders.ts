/** The default folder of cassettes. */
export const CASSETTE_FOLDER = '__recordings__'

/** The folder for a project's files that are not for git, relative to its root. */
export const CACHE_FOLDER = 'node_modules/.cache/vitest-cassette'

/** The folder of paid answers that are in no cassette yet. */
export const JOURNAL_FOLDER: string = `${CACHE_FOLDER}/journal`

/** The default folder of a report. */
export const REPORT_FOLDER = 'cassette-report'

/** The names of a config by which Vitest takes a folder for the root of a project. */
export const CONFIG_FILE: RegExp = /^(?:vite|vitest)\.config\.[cm]?[jt]s$/
