import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { shared } from '../../intercept/patch/shared.ts'

/** The configuration of the file that this worker runs; scopes look at it at every request. */
const current = shared<{ config?: ResolvedConfig }>('file-config', () => ({}))

/** Begins a file with what the plugin or the defaults say. */
export function beginFile(config: ResolvedConfig): ResolvedConfig {
  return (current.config = { ...config })
}

/** The configuration of the file, which may be changed; `undefined` before its set-up. */
export function fileConfig(): ResolvedConfig | undefined {
  return current.config
}
