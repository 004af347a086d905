import { builtin } from './builtin.ts'
import { withRealPaths } from './real-world.ts'

type Path = typeof import('node:path')

// Wings that tests load have no other paths: a test can fake the functions of `node:path`, which call each other.
export const basename: Path['basename'] = real('basename')
export const dirname: Path['dirname'] = real('dirname')
export const isAbsolute: Path['isAbsolute'] = real('isAbsolute')
export const join: Path['join'] = real('join')
export const relative: Path['relative'] = real('relative')
export const resolve: Path['resolve'] = real('resolve')
export const toNamespacedPath: Path['toNamespacedPath'] = real('toNamespacedPath')
export const { delimiter, sep }: Pick<Path, 'delimiter' | 'sep'> = builtin('node:path')

function real<Name extends keyof Path>(name: Name): Path[Name] {
  const path = builtin('node:path') as unknown as Record<Name, (...args: unknown[]) => unknown>
  return ((...args: unknown[]) => withRealPaths(() => path[name](...args))) as never
}
