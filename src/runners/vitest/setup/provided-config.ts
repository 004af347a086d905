import { CassetteError } from '../../../errors.ts'
import { unpackValue } from '../../../json/unpack.ts'
import { isPattern } from '../../../text/is-pattern.ts'
import type { ProvidedConfig } from './vitest-hooks.ts'

/**
 * Reads what the plugin has provided, in whichever process it arrives.
 *
 * @throws CassetteError `invalid-option` for a rule that did not survive its way
 */
export function readProvided(text: string): ProvidedConfig {
  const provided = (text.startsWith('{') ? JSON.parse(text) : unpackValue(text)) as ProvidedConfig
  for (const [at, rule] of provided.config.volatile.entries())
    if (typeof rule !== 'string' && !isPattern(rule))
      throw new CassetteError(
        'invalid-option',
        `volatile.${at} arrived in the tests as ${JSON.stringify(rule)}, which is no rule.`,
      )
  return provided
}
