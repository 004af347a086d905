import { createRequire } from 'node:module'
import type { Later } from '../intercept/later.ts'
import { isInVmPool } from '../intercept/vm-pool.ts'

type Replay = typeof import('./replay.ts')
type Options = typeof import('./check-options.ts')
type Schema = typeof import('../config/parse-options.ts')
type Engine = typeof import('./engine.ts')
type Network = typeof import('../intercept/network.ts')

const require = createRequire(import.meta.url)
let replay: Replay | undefined
let options: Options | undefined
let schema: Schema | undefined
let engine: Engine | undefined
let network: Network | undefined

/** Loads parts of the built package, at the first use of each. */
export const later = {
  replay: () => (replay ??= require('./replay.mjs') as Replay),
  options: () => (options ??= require('./options.mjs') as Options),
  schema: () => (schema ??= require('./schema.mjs') as Schema),
  engine: () => (engine ??= require('./engine.mjs') as Engine),
  network: () => (network ??= require('./network.mjs') as Network),
} satisfies Later & { options(): Options; schema(): Schema }

/** In a vm pool modules cannot be loaded at once, so all are loaded before the file runs. */
export async function loadForVmPool(): Promise<void> {
  if (!isInVmPool()) return
  replay ??= await import('./replay.ts')
  options ??= await import('./check-options.ts')
  schema ??= await import('../config/parse-options.ts')
  engine ??= await import('./engine.ts')
  network ??= await import('../intercept/network.ts')
}
