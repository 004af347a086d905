import { pathToFileURL } from 'node:url'
import { fileOfVitest, refuseOldVitest, runningVitest } from '../../../config/versions.ts'
import { currentScope, enterScope } from '../../../transports/scope.ts'
import type { VitestHooks } from '../setup/vitest-hooks.ts'
import { projectRoot } from '../setup/worker-state.ts'
import { hooksOfOlder, type OlderModules } from './older-hooks.ts'

/** Imports a module of the Vitest that runs, by its name. */
export type LoadModule = (name: string) => Promise<unknown>

/**
 * Gives Vitest 3.2 and 4.0 the hooks of later releases, in Node.
 *
 * @param vitest what such a release exports
 * @throws CassetteError `unsupported-vitest` for a release that is too old
 */
export async function hooksInNode(vitest: object, load: LoadModule): Promise<VitestHooks> {
  refuseOldVitest(runningVitest(projectRoot()))
  // In its vm pools, Vitest 4.0 finds a computed name by its path alone.
  const loadFound: LoadModule = async (name) =>
    load(name).catch((error: unknown) => {
      const file = fileOfVitest(name, projectRoot())
      if (file === undefined) throw error
      return load(pathToFileURL(file).href)
    })
  const modules = await Promise.all(['vitest/runners', 'vitest/suite'].map(loadFound))
  return hooksOfOlder(vitest, Object.assign({}, ...modules) as OlderModules, () => {
    const scope = currentScope()
    return () => enterScope(scope)
  })
}
