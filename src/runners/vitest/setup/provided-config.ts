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
  for (const option of ['volatile', 'redact'] as const)
    for (const [at, rule] of Object.entries(provided.config[option]) as Array<[string, unknown]>)
      // A rule that is an object, or a list of names, is read where it is first needed.
      if (
        typeof rule !== 'string' &&
        !isPattern(rule) &&
        !(option === 'redact' && Object(rule) === rule)
      )
        throw new CassetteError(
          'invalid-option',
          `${option}.${at} arrived in the tests as ${JSON.stringify(rule)}, which is no rule.`,
        )
  return provided
}
