import { readEnvironment } from '../../../config/environment.ts'
import { refuseOldNode } from '../../../config/old-node.ts'
import { resolveConfig } from '../../../config/resolved-config.ts'
import { showsColor } from '../reporters/shows-color.ts'
import type { ProvidedConfig } from './vitest-hooks.ts'

/**
 * The configuration without the plugin, which resolves it once for all files, and refuses what is too old.
 *
 * @throws CassetteError `unsupported-node`, `invalid-environment`, `recording-refused`
 */
export function ownConfig(): ProvidedConfig {
  refuseOldNode()
  return { config: resolveConfig({}, readEnvironment(process.env)), color: showsColor() }
}
