import { relative, sep } from 'node:path'
import type { TestModule, Vitest } from 'vitest/node'

/** Vitest marks files that contain `.only` with this; from 5 on. */
interface Marked {
  task?: { containsOnly?: boolean }
}

/**
 * Why a run says nothing about tests that it did not see, or `undefined` for a run of all tests. Shards
 * that are merged are judged together.
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
    // From shards of other machines come paths of other machines, but for this one.
    const file = relative(project.config.root, moduleId).split(sep).join('/')
    if (!ran.has(`${project.name}\n${file}`)) return `${file} did not run`
  }
  return undefined
}
