import {
  isAgentName,
  isVolatileName,
  type FindVolatile,
  type VolatileRule,
} from '../config/volatile-rule.ts'
import { isPattern } from '../text/is-pattern.ts'
import { CassetteError } from '../errors.ts'
import { compilePlaces, rowsAt } from '../json/places.ts'
import { orderSpans, placesOf, type TextSpan } from '../json/text-span.ts'
import type { JsonPlace } from '../json/walk.ts'
import { rememberFor } from '../remember.ts'
import { AGENT_RULES } from './agent-rules.ts'
import { NAMED_RULES } from './named-rules.ts'

/** A volatile value in a text. `text` is the value, `rule` the rule that found it. */
export interface VolatileSpan extends TextSpan {
  rule: string
  /** Set for a rule of the user's own, which can find anything. */
  isOwn?: true
}

/** Compiled rules. */
export interface VolatileRules {
  /** True if there are no rules. */
  none: boolean
  /** True when rules of the user's own run, which may take for ever. */
  unbounded: boolean
  /** The rule that declares the value at a place; of several, the first. */
  ruleAt: (at: JsonPlace) => string | undefined
  /** Finds the volatile pieces of a text, in order and without overlap. */
  find: (text: string) => VolatileSpan[]
  /** Finds them in a text as it is spelled: agents write JSON into texts, whose keys their patterns name. */
  findSpelled: (text: string) => VolatileSpan[]
}

/** Compiles rules, once for each list of them. */
export const compileRules: (rules: readonly VolatileRule[]) => VolatileRules = rememberFor(compile)

function compile(rules: readonly VolatileRule[]): VolatileRules {
  const places = compilePlaces(
    rules.flatMap((rule, index) => pathsOf(rule).map((path) => [keysOf(path), index] as const)),
  )
  const finders = rules.flatMap((rule) => finderOf(rule) ?? [])
  const spelled = rules.flatMap((rule) =>
    isAgentName(rule) ? AGENT_RULES[rule].patterns.map((pattern) => ({ pattern, rule })) : [],
  )
  return {
    none: rules.length === 0,
    unbounded: rules.some((rule) => typeof rule === 'function' || isPattern(rule)),
    ruleAt: (at) => {
      const declared = rowsAt(places, at)
      return declared.length > 0 ? String(rules[Math.min(...declared)]) : undefined
    },
    find: (text) => {
      const found = finders.flatMap((find) => find(text))
      return orderSpans(found) as VolatileSpan[]
    },
    findSpelled: (text) => {
      const found = spelled.flatMap(({ pattern, rule }) => findMatches(pattern, rule, text))
      return orderSpans(found) as VolatileSpan[]
    },
  }
}

function pathsOf(rule: VolatileRule): readonly string[] {
  if (isAgentName(rule)) return AGENT_RULES[rule].paths
  return typeof rule === 'string' && rule.startsWith('$') ? [rule] : []
}

function finderOf(rule: VolatileRule): ((text: string) => VolatileSpan[]) | undefined {
  if (typeof rule === 'function') return (text) => findPieces(rule, text)
  if (isVolatileName(rule)) return (text) => findMatches(NAMED_RULES[rule], rule, text)
  if (isAgentName(rule)) {
    const patterns = AGENT_RULES[rule].names.map((name) => NAMED_RULES[name])
    return (text) => patterns.flatMap((pattern) => findMatches(pattern, rule, text))
  }
  if (!isPattern(rule)) return undefined
  const { source, flags } = rule
  const pattern = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)
  return (text) =>
    findMatches(pattern, `/${source}/${flags}`, text).map((span) => ({ ...span, isOwn: true }))
}

function findMatches(pattern: RegExp, rule: string, text: string): VolatileSpan[] {
  const found: VolatileSpan[] = []
  for (const { 0: match, index } of text.matchAll(pattern))
    if (match !== '') found.push({ start: index, end: index + match.length, text: match, rule })
  return found
}

function findPieces(find: FindVolatile, text: string): VolatileSpan[] {
  const rule = find.name || 'an unnamed function'
  return [...new Set(askFunction(find, rule, text))].flatMap((piece) =>
    placesOf(piece, text).map((place) => ({ ...place, text: piece, rule, isOwn: true as const })),
  )
}

function askFunction(find: FindVolatile, rule: string, text: string): string[] {
  let pieces: unknown
  try {
    pieces = find(text)
  } catch (error) {
    throw new CassetteError('invalid-option', `The volatile rule ${rule} threw: ${String(error)}`, {
      cause: error,
    })
  }
  if (Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')) return pieces
  const returned = pieces === undefined ? 'nothing' : `${JSON.stringify(pieces)}`.slice(0, 60)
  throw new CassetteError(
    'invalid-option',
    `The volatile rule ${rule} returned ${returned}. Return an array of the texts that may vary, empty when there are none.`,
  )
}

/** `$.a.b[*].c` is the keys a, b, *, c. */
function keysOf(path: string): string[] {
  return path
    .slice(1)
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
}
