import { pathToFileURL } from 'node:url'
import { currentScope, enterScope } from '../../../transports/scope.ts'
import { projectRoot } from '../setup/worker-state.ts'
import type { VitestHooks } from '../setup/vitest-hooks.ts'

/** Imports a module of the Vitest that runs, by its name. */
export type LoadModule = (name: string) => Promise<unknown>

/**
 * The hooks of the Vitest that runs. Those that an older release lacks are made of what it has.
 *
 * @param vitest what it exports
 * @throws CassetteError `unsupported-vitest` for a release that is too old
 */
export async function hooksOf(vitest: object, load: LoadModule): Promise<VitestHooks> {
  if ('aroundAll' in vitest) return vitest as VitestHooks
  const { hooksOfOlder } = await import('./older-runner.ts')
  const { fileOfVitest, refuseOldVitest, runningVitest } =
    await import('../../../config/versions.ts')
  refuseOldVitest(runningVitest(projectRoot()))
  // In its vm pools, Vitest 4.0 finds a computed name by its path alone.
  const loadFound: LoadModule = async (name) =>
    load(name).catch((error: unknown) => {
      const file = fileOfVitest(name, projectRoot())
      if (file === undefined) throw error
      return load(pathToFileURL(file).href)
    })
  return await hooksOfOlder(vitest as VitestHooks, loadFound, () => {
    const scope = currentScope()
    return () => enterScope(scope)
  })
}
