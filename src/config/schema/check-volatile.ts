import { isPattern } from '../../text/is-pattern.ts'
import {
  AGENT_NAMES,
  isAgentName,
  isVolatileName,
  VOLATILE_NAMES,
  type VolatileRule,
} from '../volatile-rule.ts'

/** Any path that a rule can name. */
const VOLATILE_PATH = /^\$(?:\.[^.[\]]+|\[(?:\d+|\*)\])+$/

const CONVERSATION = String.raw`messages|contents|input|system|prompt|instructions|tools|history|\w*[pP]rompt`

/** Paths that cover the prompt of any request. Others are judged by what they cover in a request. */
const WHOLE_PROMPT = new RegExp(
  String.raw`^\$\.(?:${CONVERSATION}|systemInstruction|system_instruction)(?:\[\*\]|\.(?:content|parts|text))*$`,
)

/** An ordinary prompt. A pattern that matches all of its words would let any prompt pass. */
export const ORDINARY = 'Where is my order 7? It was sent on Monday, and I paid 20 euros.'

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

/** The fault of an expression: it matches nothing, or any text. */
export function faultOfPattern({ source, flags }: RegExp): string | undefined {
  const pattern = `/${source}/${flags}`
  const fresh = new RegExp(source, flags.replace(/[gy]/g, '') + 'g')
  if (fresh.test(''))
    return `${pattern} matches the empty text. Require at least one character, with + in place of *`
  fresh.lastIndex = 0
  if (!/[a-z]/i.test(ORDINARY.replace(fresh, '')))
    return `${pattern} matches every word, so any prompt would pass. Describe what is special about the value`
  return undefined
}
