import type { Plugin } from 'vitest/config'
import type { Vitest } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}

const told = new WeakSet<Vitest>()

/** Gives tests the seed by which Vitest shuffles, and prints it: with `--sequence.seed`, chance decides the same again. */
export const randomSeed: Plugin = {
  name: 'random-seed',
  // Each project calls it.
  configureVitest({ vitest, project }) {
    const { seed } = vitest.config.sequence
    project.provide('seed', seed)
    if (told.has(vitest)) return
    told.add(vitest)
    vitest.logger.log(`Chance decides by the seed ${seed}: --sequence.seed=${seed}`)
  },
}
