import type { Dialect } from '../dialect.ts'
import { isFilled } from '../fields.ts'
import { asSent } from '../kit/as-sent.ts'
import { WATSONX_PATHS } from './watsonx.ts'

export const watsonxDialects: readonly Dialect[] = [
  asSent(WATSONX_PATHS, 'watsonx', ({ messages, input, inputs }) =>
    [messages, input, inputs].some(isFilled),
  ),
]
