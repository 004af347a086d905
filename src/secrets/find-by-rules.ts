import type { RedactRule } from '../config/redact-rule.ts'
import { CassetteError } from '../errors.ts'
import { placesOf, type TextSpan } from '../json/text-span.ts'
import { placeholderOf } from './placeholder.ts'

/**
 * Finds the pieces that match the user's rules. The placeholder has the name of the rule: that of its function, or
 * `RULE_1` for the first of the list.
 *
 * @throws CassetteError `invalid-option` for a function that fails or returns no pieces
 */
export function findByRules(text: string, rules: readonly RedactRule[]): TextSpan[] {
  return rules.flatMap((rule, index) => {
    const name = (typeof rule === 'function' && rule.name) || `RULE_${index + 1}`
    return placesIn(text, rule, name).map((place) => ({ ...place, text: placeholderOf(name) }))
  })
}

function placesIn(text: string, rule: RedactRule, name: string): Array<Omit<TextSpan, 'text'>> {
  if (typeof rule === 'function')
    return askFor(rule, name, text).flatMap((piece) => placesOf(piece, text))
  const flags = rule.flags.replace('y', '')
  const global = new RegExp(rule.source, flags.includes('g') ? flags : `${flags}g`)
  return Array.from(text.matchAll(global), ({ 0: piece, index: start }) => ({
    start,
    end: start + piece.length,
  }))
}

function askFor(find: Exclude<RedactRule, RegExp>, name: string, text: string): readonly string[] {
  let pieces: unknown
  try {
    pieces = find(text)
  } catch (error) {
    const message = `The redact rule ${name} threw: ${String(error)}`
    throw new CassetteError('invalid-option', message, { cause: error })
  }
  if (Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')) return pieces
  throw new CassetteError(
    'invalid-option',
    `The redact rule ${name} did not return an array of texts. Return the pieces that are not to be stored, none where there are none.`,
  )
}
