import { readEnvironment } from '../../../config/environment.ts'
import { refuseOldNode } from '../../../config/old-node.ts'
import { resolveConfig } from '../../../config/resolved-config.ts'
import { withSamples } from './samples-of-run.ts'
import type { ProvidedConfig } from './vitest-hooks.ts'
import { hasColors } from '../../../config/has-colors.ts'

/**
 * The configuration without the plugin, which resolves it once for all files, and refuses what is too old.
 *
 * @throws CassetteError `unsupported-node`, `invalid-environment`, `recording-refused`
 */
export function ownConfig(): ProvidedConfig {
  refuseOldNode()
  const { FORCE_COLOR, FORCE_TTY, NO_COLOR, TERM } = process.env
  // Vitest sets it where the output of a worker reaches a terminal.
  const isTerminal = FORCE_TTY === 'true' && FORCE_COLOR === undefined
  const color = hasColors() || (isTerminal && !NO_COLOR && TERM !== 'dumb')
  return {
    config: resolveConfig(withSamples({}, process.env), readEnvironment(process.env)),
    color,
  }
}
