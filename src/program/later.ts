import { answerAtOnce } from '../intercept/answer/answer-at-once.ts'
import { answerLlmCall } from '../intercept/answer/answer-llm-call.ts'
import type { Later } from '../intercept/answer/later.ts'
import { loadLater } from '../intercept/patch/load-later.ts'

/** What answers requests in a program. */
export const later = {
  replay: () => ({ answerAtOnce, answerLlmCall }),
  schema: loadLater('./schema.mjs', () => import('../config/parse-options.ts')),
  engine: loadLater('./program-engine.mjs', () => import('./engine.ts')),
  network: loadLater('./network.mjs', () => import('../intercept/http/network.ts')),
} satisfies Later & { schema(): unknown }
