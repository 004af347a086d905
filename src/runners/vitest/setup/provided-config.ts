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
    for (const [at, rule] of provided.config[option].entries())
      if (typeof rule !== 'string' && !isPattern(rule) && !isPlainRule(rule))
        throw new CassetteError(
          'invalid-option',
          `${option}.${at} arrived in the tests as ${JSON.stringify(rule)}, which is no rule.`,
        )
  return provided
}

/** Whether a rule is an object of the option `redact`. */
function isPlainRule(rule: unknown): boolean {
  const { match, keep } = (rule ?? {}) as { match?: unknown; keep?: unknown }
  return isPattern(match) || Array.isArray(keep)
}
