import { join } from '../../real/path.ts'
import type { TestProject, Vitest } from 'vitest/node'
import { COMPILED_FOLDER } from '../../config/paths.ts'
import { existsSync } from '../../real/files.ts'

/** The variables by which users decide themselves. By the last one a tool measures coverage from outside. */
const OF_USER = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE']

/**
 * Lets Node keep the compiled code of what the workers of a project load, most of which is Vitest itself. Node checks
 * each entry by its version and by the source, and compiles anew where the folder cannot be used. Returns the folder;
 * `undefined` where nothing is kept.
 */
export function keepCompiled(project: TestProject, vitest: Vitest): string | undefined {
  const env = { ...process.env, ...vitest.config.env, ...project.config.env }
  // V8 counts less exactly in code that it has not compiled itself.
  const { enabled, provider } = vitest.config.coverage
  const isCounted = enabled && provider !== 'istanbul'
  const { root } = vitest.config
  if (
    OF_USER.some((name) => env[name] !== undefined) ||
    isCounted ||
    !existsSync(join(root, 'node_modules'))
  )
    return undefined
  const folder = join(root, COMPILED_FOLDER)
  project.config.env = { ...project.config.env, NODE_COMPILE_CACHE: folder }
  return folder
}
