import type { Dialect } from '../dialect.ts'
import { asSent } from '../kit/as-sent.ts'
import { HUGGINGFACE_PATHS } from './huggingface.ts'

export const huggingfaceDialects: readonly Dialect[] = [
  asSent(HUGGINGFACE_PATHS, 'hugging-face-text', ({ inputs }) => typeof inputs === 'string'),
]
