import { BODY_CASES } from './body-cases.ts'
import { CANONICAL_CASES } from './canonical-cases.ts'
import { FILE_CASES } from './file-cases.ts'
import type { MadeUp } from './make-case.ts'
import { MATCH_CASES } from './match-cases.ts'
import { READ_CASES } from './read-cases.ts'
import { VALUE_CASES } from './value-cases.ts'

/** One case of each feature, by the name of its file. */
export const MADE_UP: Record<string, MadeUp> = {
  ...BODY_CASES,
  ...MATCH_CASES,
  ...CANONICAL_CASES,
  ...VALUE_CASES,
  ...READ_CASES,
  ...FILE_CASES,
}
