import { inspect } from 'node:util'
import { isPattern } from '../text/is-pattern.ts'
import type { CheckedRedactRule, RedactOption } from './options.ts'
import {
  AGENT_NAMES,
  isAgentName,
  isVolatileName,
  VOLATILE_NAMES,
  type VolatileRule,
} from './volatile-rule.ts'

/** A path that a rule can name without wildcards. */
export const SIMPLE_PATH: RegExp = /^\$(?:\.[\w-]+)+$/

/** Any path that a rule can name. */
const VOLATILE_PATH = /^\$(?:\.[^.[\]]+|\[(?:\d+|\*)\])+$/

const CONVERSATION = String.raw`messages|contents|input|system|prompt|instructions|tools|history|\w*[pP]rompt`

/** Paths that cover the prompt of any request. Others are judged by what they cover in a request. */
const WHOLE_PROMPT = new RegExp(
  String.raw`^\$\.(?:${CONVERSATION}|systemInstruction|system_instruction)(?:\[\*\]|\.(?:content|parts|text))*$`,
)

/** An ordinary prompt. A pattern that matches all of its words would let any prompt pass. */
const ORDINARY = 'Where is my order 7? It was sent on Monday, and I paid 20 euros.'

/** True for a valid rule. */
export function isVolatileRule(rule: unknown): rule is VolatileRule {
  return faultOfRule(rule) === undefined
}

/** The fault of a rule, and the remedy; `undefined` for a valid rule. */
export function faultOfRule(rule: unknown): string | undefined {
  if (typeof rule === 'function') return undefined
  if (isPattern(rule)) return faultOfPattern(rule)
  if (typeof rule !== 'string') return 'a name, a JSON path, a regular expression or a function'
  if (isVolatileName(rule) || isAgentName(rule)) return undefined
  if (rule.startsWith('$')) return faultOfPath(rule)
  const fix = /[.[\]]/.test(rule) ? `A path begins with $: '$.${rule}'` : `A path is '$.${rule}'`
  return `'${rule}' is no rule. ${fix}; the rules are ${[...VOLATILE_NAMES, ...AGENT_NAMES].join(', ')}`
}

function faultOfPath(path: string): string | undefined {
  if (!VOLATILE_PATH.test(path))
    return `'${path}' is no path. Write it as '$.metadata.user_id' or '$.messages[*].id'`
  return WHOLE_PROMPT.test(path)
    ? `'${path}' covers the prompt itself, so any prompt would pass. Describe the value in it that varies: by a name, or by a regular expression`
    : undefined
}

function faultOfPattern({ source, flags }: RegExp): string | undefined {
  const pattern = `/${source}/${flags}`
  const fresh = new RegExp(source, flags.replace(/[gy]/g, '') + 'g')
  if (fresh.test(''))
    return `${pattern} matches the empty text. Require at least one character, with + in place of *`
  fresh.lastIndex = 0
  if (!/[a-z]/i.test(ORDINARY.replace(fresh, '')))
    return `${pattern} matches every word, so any prompt would pass. Describe what is special about the value`
  return undefined
}

/** A word of prose, and not a number or an abbreviation. */
const WORD = /[a-z]{3,}/gi

/** True for valid rules of the option `redact`. */
export function areRedactRules(redact: unknown): redact is RedactOption {
  return faultOfRedact(redact) === undefined
}

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

/** The name of a redaction rule, as it stands in placeholders. */
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

/** Why a pattern takes prose for data. It finds ordinary words, so it would swallow what the model is told. */
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
