import type { CachingSettings } from '../../../config/parse-options.ts'
import type { CassetteOptions } from '../../../config/options.ts'
import { loadSchema } from './check-options.ts'

/**
 * Translates the settings of a conversation cache into options, with the defaults of that cache for pictures:
 * `{ match: 'phash', region: 100, threshold: 20 }`.
 *
 * @throws CassetteError `invalid-option` that names each wrong setting.
 * @example
 * cassettes(cachingSettings({ strategy: 'both', executionSettings: { visualValidationThreshold: 8 } }))
 */
export function cachingSettings(settings: CachingSettings = {}): CassetteOptions {
  return loadSchema().parseCachingSettings(settings)
}
