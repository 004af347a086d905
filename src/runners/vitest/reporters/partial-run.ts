import type { TestModule, Vitest } from 'vitest/node'
import { pathFrom } from '../../../config/paths.ts'
import { pathOfModule, testNamePattern } from '../versions/run.ts'

/** From 5 on, Vitest sets this on files that contain `.only`. */
interface Marked {
  task?: { containsOnly?: boolean }
}

/** Vitest's own note of the files that its command names. */
interface Chosen {
  filenamePattern?: readonly string[]
}

/** Whether the command of a run names files. They can still be all. */
export function choosesFiles(vitest: Vitest): boolean {
  return (vitest as unknown as Chosen).filenamePattern !== undefined
}

/** The test files of a run without filters, each by {@link keyOf}, with its path. */
export type PlannedFiles = ReadonlyMap<string, string>

/** Finds the test files that a run of all tests would have. */
export async function plannedFiles(vitest: Vitest): Promise<PlannedFiles> {
  const found = await vitest.globTestSpecifications()
  return new Map(
    found.map(({ project, moduleId }) => {
      // Shards of other machines have absolute paths of those machines; this relative path is the same.
      const file = pathFrom(project.config.root, moduleId)
      return [keyOf(project.name, file), file]
    }),
  )
}

/**
 * Why a run is partial, or `undefined` for a run of all tests. Merged shards are judged together.
 *
 * @param modules the test files that ran
 */
export function whyPartial(
  vitest: Vitest,
  modules: readonly TestModule[],
  planned: PlannedFiles,
): string | undefined {
  if (testNamePattern(vitest)) return 'tests were chosen by name'
  if (vitest.config.project.length > 0) return 'projects were chosen by name'
  return whyNotWhole(vitest, modules, planned)
}

/** As {@link whyPartial}, where names of tests and projects are no reason: a command can repeat them. */
export function whyNotWhole(
  { config }: Vitest,
  modules: readonly TestModule[],
  planned: PlannedFiles,
): string | undefined {
  if (config.tagsFilter?.length) return 'tests were chosen by tag'
  const only = modules.find((module) => (module as unknown as Marked).task?.containsOnly)
  if (only) return `${pathOfModule(only)} contains .only`
  const ran = new Set(modules.map((one) => keyOf(one.project.name, pathOfModule(one))))
  const [missing] = [...planned].flatMap(([key, file]) => (ran.has(key) ? [] : file))
  return missing === undefined ? undefined : `${missing} did not run`
}

function keyOf(project: string, file: string): string {
  return `${project}\n${file}`
}
