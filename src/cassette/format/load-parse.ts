import { loadLater } from '../../real/load-later.ts'

/** Loads what says why a text is no cassette: it has the schema, and the library that reads it. */
export const loadParse: () => typeof import('../parse.ts') = loadLater(
  './parse-cassette.mjs',
  () => import('../parse.ts'),
)
