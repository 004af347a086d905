import { createRequire } from 'node:module'
import { answerAtOnce } from '../intercept/answer-at-once.ts'
import { answerLlmCall } from '../intercept/answer-llm-call.ts'
import type { Later } from '../intercept/later.ts'

type Schema = typeof import('../config/parse-options.ts')
type Engine = typeof import('./engine.ts')
type Network = typeof import('../intercept/network.ts')

const require = createRequire(import.meta.url)

/** Loads parts of the built package, at the first use of each. */
export const later = {
  replay: () => ({ answerAtOnce, answerLlmCall }),
  schema: () => require('./schema.mjs') as Schema,
  engine: () => require('./program-engine.mjs') as Engine,
  network: () => require('./network.mjs') as Network,
} satisfies Later & { schema(): Schema }
