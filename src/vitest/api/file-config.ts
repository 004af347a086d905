import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { shared } from '../../intercept/patch/shared.ts'

/** The configuration of the file that this worker runs. Scopes read it at every request. */
const current = shared<{ config?: ResolvedConfig }>('file-config', () => ({}))

/** Begins a test file with the configuration of the plugin, or with the defaults. */
export function beginFile(config: ResolvedConfig): ResolvedConfig {
  return (current.config = { ...config })
}

/** The configuration of the file, which may be changed; `undefined` before its set-up. */
export function fileConfig(): ResolvedConfig | undefined {
  return current.config
}
