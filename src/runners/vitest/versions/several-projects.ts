import { dirname, join } from '../../../real/path.ts'
import { isOlder } from '../../../config/old-node.ts'
import { existsSync } from '../../../real/files.ts'

/** The config of a run, as far as it says whether the run has several projects. */
interface RunConfig {
  root: string
  configFile?: string | false
  test?: object
}

/** Vitest 3 reads the projects from such a file too. */
const WORKSPACE_FILES = ['workspace', 'projects'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'].map((ending) => `vitest.${name}.${ending}`),
)

/** Whether a run has several projects, by the option `projects`, or by what Vitest 3 has beside it. */
export function hasProjects({ root, configFile, test }: RunConfig, version?: string): boolean {
  const { projects, workspace } = (test ?? {}) as { projects?: unknown; workspace?: unknown }
  if (projects !== undefined) return true
  if (version === undefined || !isOlder(version, [4, 0])) return false
  const folder = configFile ? dirname(configFile) : root
  return workspace !== undefined || WORKSPACE_FILES.some((file) => existsSync(join(folder, file)))
}
