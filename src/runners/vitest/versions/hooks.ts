import { currentScope, enterScope } from '../../../transports/scope.ts'
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
  const { refuseOldVitest, runningVitest } = await import('../../../config/versions.ts')
  refuseOldVitest(runningVitest(process.cwd()))
  return await hooksOfOlder(vitest as VitestHooks, load, () => {
    const scope = currentScope()
    return () => enterScope(scope)
  })
}
