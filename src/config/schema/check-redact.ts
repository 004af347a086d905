import { inspect } from 'node:util'
import { isPattern } from '../../text/is-pattern.ts'
import { faultOfPattern, ORDINARY } from './check-volatile.ts'
import type { CheckedRedactRule } from '../option-values.ts'

// Loaded where somebody has such rules: `option-values.ts` names it.

/** A word of prose, and not a number or an abbreviation. */
const WORD = /[a-z]{3,}/gi

/** The faults of the option `redact`, each behind its place; `undefined` for valid rules. */
export function faultOfRedact(redact: unknown): string | undefined {
  if (typeof redact !== 'object' || redact === null || isPattern(redact))
    return ': a list of rules, or rules by their names: { customer: /C-\\d{6}/ }'
  const faults = Object.entries(redact).flatMap(([at, rule]) => {
    const isKept = !Array.isArray(redact) && at === 'keep'
    const isNamed = Array.isArray(redact) || NAME.test(at)
    const fault = isNamed ? faultOfRedactRule(isKept ? { keep: rule as unknown } : rule) : NO_NAME
    return fault === undefined ? [] : `.${at}: ${fault}`
  })
  return faults.length > 0 ? faults.join('\n  redact') : undefined
}

/** Valid names of redaction rules, which become part of placeholders. */
const NAME = /^[\w-]+$/
const NO_NAME = 'a name has letters, digits, _ and - alone'

function faultOfRedactRule(rule: unknown): string | undefined {
  if (typeof rule === 'function') return undefined
  if (isPattern(rule)) return faultOfPattern(rule) ?? faultOfProse(rule)
  if (typeof rule !== 'object' || rule === null) return noRedactRule(rule)
  if ('keep' in rule)
    return Array.isArray(rule.keep) && rule.keep.every((name) => typeof name === 'string')
      ? undefined
      : "keep is a list of the names of variables or headers: ['TENANT_KEY']"
  const { match, name, check, ...others } = rule as Partial<CheckedRedactRule>
  if (match === undefined || Object.keys(others).length > 0) return noRedactRule(rule)
  if (name !== undefined && !NAME.test(name)) return NO_NAME
  if (check !== undefined && !(check % 4 === 0 && check > 0 && check <= 48))
    return 'check is a number of bits, in fours, from 4 to 48'
  return faultOfRedactRule(match)
}

function noRedactRule(rule: unknown): string {
  return noRule(rule, 'a regular expression, a function, or one of both as { match, check }')
}

/** The error for a pattern that matches ordinary words and would redact the prompt itself; `undefined` if it does not. */
function faultOfProse({ source, flags }: RegExp): string | undefined {
  const fresh = new RegExp(source, flags.replace(/[gy]/g, '') + 'g')
  const found = (ORDINARY.match(fresh) ?? []).filter((text) => text.search(WORD) >= 0)
  const words = found.join(' ').match(WORD) ?? []
  if (words.length < 2) return undefined
  const swallowed = found.map((text) => JSON.stringify(text)).join(' and ')
  return `/${source}/${flags} would swallow ordinary words, so a changed prompt would pass: ${swallowed} of "${ORDINARY}". Describe what is special about the value`
}

/** The fault of a rule that is none. Some runners send options to their workers as JSON, which has no expressions. */
export function noRule(given: unknown, kinds: string): string {
  const isLost = given === null || (typeof given === 'object' && Object.keys(given).length === 0)
  const cause = isLost
    ? '. JSON makes {} of an expression, and null of a function: if you wrote one, the runner has sent it to its workers as JSON'
    : ''
  return `${inspect(given, { depth: 1, breakLength: Infinity }).slice(0, 80)} is not ${kinds}${cause}`
}
