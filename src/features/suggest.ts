import stableStringify from 'fast-json-stable-stringify'
import {
  SIMPLE_PATH,
  AGENT_NAMES,
  VOLATILE_NAMES,
  type VolatileName,
  type VolatileRule,
} from '../config/volatile-rule.ts'
import { isPattern } from '../text/is-pattern.ts'
import { compareJson } from '../json/compare-json.ts'
import type { JsonValue } from '../json/json-value.ts'
import { AGENT_MARKS } from '../prompt/agent-rules.ts'
import { loadVolatile } from '../prompt/load-volatile.ts'
import { compileRules } from '../prompt/volatile-rules.ts'
import { commonEnd, commonStart } from '../text/common-ends.ts'
import { jsonOf } from '../wire/body.ts'
import { pairsBetween, type ValuePair } from '../engine/bind.ts'
import { readIncoming, type Incoming } from '../engine/incoming.ts'
import type { PartialSuggestion, Suggestion } from '../engine/match.ts'

/** The rules that match by chance, the most likely first. They are dropped first. */
const LEAST_CERTAIN: VolatileName[] = ['clock-time', 'hex-id', 'prefixed-id', 'nanoid', 'cuid2']
const LEAST_CERTAIN_FIRST = [
  ...LEAST_CERTAIN,
  ...VOLATILE_NAMES.filter((name) => !LEAST_CERTAIN.includes(name)),
]

/**
 * Finds the rules under which two requests would be the same; `undefined` where anything else differs
 * too, or where they are the same already.
 *
 * @param rules the rules declared now
 */
export function suggestRules(
  recorded: Incoming,
  received: Incoming,
  rules: readonly VolatileRule[],
): Suggestion | undefined {
  return rulesFor(recorded, received, rules, !findNamed(recorded, received).other)
}

/** @param mayBeNamed whether named rules may find all that differs */
function rulesFor(
  recorded: Incoming,
  received: Incoming,
  rules: readonly VolatileRule[],
  mayBeNamed: boolean,
): Suggestion | undefined {
  const resolves = (more: readonly VolatileRule[]): boolean =>
    areSame(readBoth(recorded, received, [...rules, ...more]))
  if (recorded.after !== received.after || recorded.hash === received.hash) return undefined
  const chosen =
    ofAgent(received, resolves) ??
    (mayBeNamed ? preciseRules(recorded, received, rules, resolves) : undefined)
  if (!chosen) return undefined
  const both = readBoth(recorded, received, [...rules, ...chosen])
  const missing = new Set<string | undefined>(chosen.map(String))
  return { rules: chosen, pairs: differingPairs(both, (rule) => missing.has(rule)) }
}

/**
 * Suggests rules for a miss that named rules alone do not resolve: the named rules that recognise values, and paths
 * outside the prompt that resolve the rest. Where such paths do not resolve it, `rules` is empty.
 *
 * @param rules the rules declared now, which do not resolve the miss even with all named rules
 */
export function suggestPart(
  recorded: Incoming,
  received: Incoming,
  rules: readonly VolatileRule[],
): PartialSuggestion | undefined {
  if (recorded.hash === received.hash) return undefined
  const all = [...new Set([...rules, ...VOLATILE_NAMES])]
  const resolves = (more: readonly VolatileRule[]): boolean =>
    areSame(readBoth(recorded, received, [...all, ...more]))
  const differing = leavesBeside(recorded, received).map(({ path }) => path)
  // Reading a long prompt again takes time, so it is tried only with a path to suggest.
  if (differing.length === 0 || !resolves(differing))
    return findNamed(recorded, received).none
      ? undefined
      : recognise(readBoth(recorded, received, all), rules)
  const places = leaveOut(differing, resolves)
  const named = rulesFor(recorded, received, [...rules, ...places], true)
  const chosen = [...(named?.rules ?? []), ...places]
  const both = readBoth(recorded, received, [...rules, ...chosen])
  const beside = new Set<string | undefined>(places.map(String))
  const rest = differingPairs(both, (rule) => beside.has(rule))
  return { rules: chosen, pairs: named?.pairs ?? [], rest }
}

/** The differing values that named rules recognise, where something else differs too; `undefined` without any. */
function recognise(
  both: [Incoming, Incoming],
  rules: readonly VolatileRule[],
): PartialSuggestion | undefined {
  if (differsInIdentity(...both)) return undefined
  const declared = new Set<string | undefined>(rules.map(String))
  const pairs = differingPairs(both, (rule) => !declared.has(rule))
  return pairs.length === 0 ? undefined : { rules: [], pairs, rest: [] }
}

/** The one rule for the agent that sent the request, where that rule is enough. */
function ofAgent(
  { canonical }: Incoming,
  resolves: (more: readonly VolatileRule[]) => boolean,
): VolatileRule[] | undefined {
  const body = stableStringify(canonical)
  const agent = AGENT_NAMES.find((name) => AGENT_MARKS[name].test(body) && resolves([name]))
  return agent && [agent]
}

function preciseRules(
  recorded: Incoming,
  received: Incoming,
  rules: readonly VolatileRule[],
  resolves: (more: readonly VolatileRule[]) => boolean,
): VolatileRule[] | undefined {
  const names = LEAST_CERTAIN_FIRST.filter((name) => !rules.includes(name))
  if (!resolves(names)) return undefined
  const needed = leaveOut(names, resolves)
  return leaveOut([...needed, ...precisePaths(recorded, received, needed)], resolves)
}

const NAMED = compileRules(VOLATILE_NAMES)

/**
 * What named rules find in the lines in which two requests differ. Most changes of a prompt are of words, and to read both
 * prompts again under all rules takes far longer.
 *
 * - `other`: something differs that they do not find
 * - `none`: they find nothing
 */
function findNamed(recorded: Incoming, received: Incoming): { other: boolean; none: boolean } {
  const found = { other: false, none: true }
  // Values that are declared can hold others.
  if (recorded.volatile.length + received.volatile.length > 0) return { other: false, none: false }
  const [one, other] = [recorded, received].map(
    ({ canonical }) => canonical as unknown as JsonValue,
  )
  compareJson<undefined, never>(one, other, undefined, {
    below: () => undefined,
    items: (items, others) =>
      items.length === others.length
        ? items.map((item, at) => ({ one: item, other: others[at], place: undefined }))
        : undefined,
    differ(before, after) {
      const areTexts = typeof before === 'string' && typeof after === 'string'
      // With the lines around them, which can say what a value is.
      const lines = areTexts ? linesAround(before, after) : undefined
      // Texts in which JSON is spelled are read as what they say.
      if (!lines || lines.some((text) => text.includes('\\'))) {
        found.none = false
        // A list got longer, or a field came or went: no rule does that.
        if ([before, after].includes(undefined) || [before, after].every(Array.isArray))
          found.other = true
        return []
      }
      const [old, current] = lines.map(withoutNamed)
      if (old !== current) found.other = true
      if (old !== lines[0] || current !== lines[1]) found.none = false
      return []
    },
  })
  return found
}

/** A text with the name of a rule in the place of each value that it finds. */
function withoutNamed(text: string): string {
  return NAMED.find(text).reduceRight(
    (rest, { start, end, rule }) => `${rest.slice(0, start)}\0${rule}\0${rest.slice(end)}`,
    text,
  )
}

/** The lines from the one before the first to the one behind the last in which two texts differ. */
function linesAround(one: string, other: string): [one: string, other: string] {
  const [lines, others] = [one.split('\n'), other.split('\n')]
  const start = commonStart(lines, others)
  const end = commonEnd(lines, others, start)
  const around = (all: string[]): string =>
    all.slice(Math.max(0, start - 1), all.length - Math.max(0, end - 1)).join('\n')
  return [around(lines), around(others)]
}

/** True when two requests differ in nothing but which of their volatile values are equal. */
export function differsInIdentity(recorded: Incoming, received: Incoming): boolean {
  if (recorded.volatile.length === 0 || recorded.hash === received.hash) return false
  const [one, other] = [recorded, received].map(({ canonical }) =>
    stableStringify(canonical).replace(/(\\u0000volatile:.*?):\d+(?=\\u0000|")/g, '$1'),
  )
  return one === other
}

/** The source code of the option `volatile` with these rules. */
export function spellRules(rules: readonly VolatileRule[]): string {
  return `volatile: [${rules.map(spellRule).join(', ')}]`
}

/** The source code of one rule. */
export function spellRule(rule: VolatileRule): string {
  if (typeof rule === 'function') return rule.name || '…'
  return isPattern(rule) ? String(rule) : `'${rule}'`
}

/** Both requests, read under the same rules. */
function readBoth(
  recorded: Incoming,
  received: Incoming,
  rules: readonly VolatileRule[],
): [Incoming, Incoming] {
  return [
    readIncoming(recorded.wire, { volatile: rules }),
    readIncoming(received.wire, { volatile: rules }),
  ]
}

function areSame([recorded, received]: [Incoming, Incoming]): boolean {
  return recorded.hash === received.hash
}

/** The pairs of volatile values that differ between two requests, for the given rules. */
function differingPairs(
  [recorded, received]: [Incoming, Incoming],
  isMeant: (rule: string | undefined) => boolean,
): ValuePair[] {
  return pairsBetween(recorded, received).filter(
    (pair) => pair.recorded !== pair.live && isMeant(pair.rule),
  )
}

/** Drops the items that are not needed, one after the other. */
function leaveOut<T>(all: readonly T[], resolves: (rest: readonly T[]) => boolean): T[] {
  let rest = [...all]
  for (const one of all) {
    const without = rest.filter((other) => other !== one)
    if (resolves(without)) rest = without
  }
  return rest
}

/** Paths outside of the prompt whose whole value differs and matches one of the named rules. */
function precisePaths(
  recorded: Incoming,
  received: Incoming,
  names: readonly VolatileRule[],
): VolatileRule[] {
  const volatile = new Set(
    readIncoming(received.wire, { volatile: names }).volatile.map(({ value }) => value),
  )
  return leavesBeside(recorded, received)
    .filter(({ value }) => volatile.has(String(value)))
    .map(({ path }) => path)
}

/** A value that two requests both have, and that differs. */
interface DifferingLeaf {
  /** A path that a rule can name. */
  path: VolatileRule
  /** The received value. */
  value: JsonValue
}

/** The values beside the prompt that differ between two requests, in fields that a rule can name without wildcards. */
function leavesBeside(recorded: Incoming, received: Incoming): DifferingLeaf[] {
  const [one, other] = [jsonOf(recorded.wire.body), jsonOf(received.wire.body) ?? null]
  return compareJson<string, DifferingLeaf>(one, other, '$', {
    keys: (_, body) => Object.keys(body),
    below: (path, key) => `${path}.${key}`,
    differ(before, value = null, path) {
      const isMeant = typeof before === typeof value && String(before) !== String(value)
      return isMeant &&
        SIMPLE_PATH.test(path) &&
        loadVolatile().isBesidePrompt(path, before!, value)
        ? [{ path: path as VolatileRule, value }]
        : []
    },
  })
}
