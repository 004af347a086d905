/** Where a project keeps what is not for git, relative to its root. */
export const CACHE_FOLDER = 'node_modules/.cache/vitest-cassette'
