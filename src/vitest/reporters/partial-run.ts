import type { TestModule, Vitest } from 'vitest/node'
import { pathFrom } from '../../config/paths.ts'

/** From 5 on, Vitest sets this on files that contain `.only`. */
interface Marked {
  task?: { containsOnly?: boolean }
}

/**
 * Why a run is partial, or `undefined` for a run of all tests. Merged shards are judged together.
 *
 * @param modules the test files that ran
 */
export async function whyPartial(
  vitest: Vitest,
  modules: readonly TestModule[],
): Promise<string | undefined> {
  const { config } = vitest
  if (vitest.getGlobalTestNamePattern()) return 'tests were chosen by name'
  if (config.tagsFilter?.length) return 'tests were chosen by tag'
  if (config.project.length > 0) return 'projects were chosen by name'
  const only = modules.find((module) => (module as unknown as Marked).task?.containsOnly)
  if (only) return `${only.relativeModuleId} contains .only`
  const ran = new Set(modules.map((module) => `${module.project.name}\n${module.relativeModuleId}`))
  for (const { project, moduleId } of await vitest.globTestSpecifications()) {
    // Shards of other machines have absolute paths of those machines; this relative path is the same.
    const file = pathFrom(project.config.root, moduleId)
    if (!ran.has(`${project.name}\n${file}`)) return `${file} did not run`
  }
  return undefined
}
