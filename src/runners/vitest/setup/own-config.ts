import { readEnvironment } from '../../../config/environment.ts'
import { refuseOldNode } from '../../../config/old-node.ts'
import { resolveConfig } from '../../../config/resolved-config.ts'
import type { ProvidedConfig } from './vitest-hooks.ts'
import { hasColors } from '../../../config/has-colors.ts'

/**
 * The configuration without the plugin, which resolves it once for all files, and refuses what is too old.
 *
 * @throws CassetteError `unsupported-node`, `invalid-environment`, `recording-refused`
 */
export function ownConfig(): ProvidedConfig {
  refuseOldNode()
  return { config: resolveConfig({}, readEnvironment(process.env)), color: showsColor() }
}

/** Whether the output of a worker reaches a terminal with colours. Vitest sets `FORCE_TTY` then. */
function showsColor(): boolean {
  const { FORCE_COLOR, FORCE_TTY, NO_COLOR, TERM } = process.env
  const isTerminal = FORCE_TTY === 'true' && FORCE_COLOR === undefined
  return hasColors() || (isTerminal && !NO_COLOR && TERM !== 'dumb')
}
