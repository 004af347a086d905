import { answerHash } from './answer-hash.ts'
import type { CassetteCheck } from './check.ts'
import { fileHash } from './file-hash.ts'
import { form } from './form.ts'
import { ids } from './ids.ts'
import { keptAnswers } from './kept-answers.ts'
import { promptHash } from './prompt-hash.ts'
import { readableHalf } from './readable-half.ts'
import { redirects } from './redirects.ts'
import { secrets } from './secrets.ts'

import { validity } from './validity.ts'
import { title } from './title.ts'

/** The checks of each cassette, in the order of the report. */
export const CASSETTE_CHECKS: readonly CassetteCheck[] = [
  form,
  title,
  ids,
  promptHash,
  answerHash,
  readableHalf,
  redirects,
  secrets,
  validity,
  keptAnswers,
  fileHash,
]
