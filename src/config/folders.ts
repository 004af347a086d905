/** Where a project keeps what is not for git, relative to its root. */
export const CACHE_FOLDER = 'node_modules/.cache/vitest-cassette'

/** Where answers are that were paid for and stand in no cassette yet. */
export const JOURNAL_FOLDER: string = `${CACHE_FOLDER}/journal`

/** Where a report is written if nobody says where. */
export const REPORT_FOLDER = 'cassette-report'
