import { isJsonObject } from '../../json/json-value.ts'
import type { Dialect } from '../dialect.ts'
import { isFilled } from '../fields.ts'
import { asSent } from '../kit/as-sent.ts'
import { MISTRAL_PATHS } from './mistral.ts'

export const mistralDialects: readonly Dialect[] = [
  asSent(MISTRAL_PATHS, 'mistral-conversations', ({ inputs }) => isFilled(inputs)),
  asSent(
    MISTRAL_PATHS,
    'mistral-fim',
    ({ model, prompt }) => typeof model === 'string' && typeof prompt === 'string',
  ),
  asSent(MISTRAL_PATHS, 'mistral-ocr', ({ document }) => isJsonObject(document)),
]
