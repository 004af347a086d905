import { resolve } from 'node:path'
import type { Plugin } from 'vitest/config'
import { pathFrom } from '../src/config/paths.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** A plugin of the build and of the tests that puts what it makes in the place of modules. */
export interface MakesModules extends Pick<Plugin, 'name' | 'configureVitest'> {
  load(id: string): string | Promise<string> | undefined
}

/** @param made what makes the text that stands in the place of each module, by its path */
export function makesModules(
  name: string,
  made: Readonly<Record<string, () => string | Promise<string>>>,
): MakesModules {
  return {
    name,
    load: (id) => made[pathFrom(ROOT, id)]?.(),
    // Vitest knows a module by its own text, and would go on with what was made before another file changed.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (made[pathFrom(ROOT, id)] ? false : undefined))
    },
  }
}
