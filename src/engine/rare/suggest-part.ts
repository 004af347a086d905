import { VOLATILE_NAMES, type VolatileRule } from '../../config/volatile-rule.ts'
import type { PartialSuggestion } from '../found.ts'
import { pairsBetween } from '../bind.ts'
import type { Incoming } from '../incoming.ts'
import { differingLeaves, differsInIdentity, leaveOut, readBoth, suggestRules } from './suggest.ts'

/** Fields of a request that no model reads. Parameters are not among them: another temperature is another prompt. */
const CARRIED =
  /^\$\.(?:metadata|requestMetadata|labels|user|safety_identifier|prompt_cache_key|session_?id)(?:\.|$)/i

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
  const settles = (more: readonly VolatileRule[]): boolean => {
    const [one, other] = readBoth(recorded, received, [...all, ...more])
    return one.hash === other.hash
  }
  const differing = carriedPlaces(recorded, received)
  // Reading a long prompt again takes time, so it is tried only with a path to suggest.
  if (differing.length === 0 || !settles(differing))
    return recognise(recorded, received, rules, all)
  const places = leaveOut(differing, settles)
  const declared = [...rules, ...places]
  const named = suggestRules(recorded, received, declared)
  const chosen = [...(named?.rules ?? []), ...places]
  const [one, other] = readBoth(recorded, received, [...rules, ...chosen])
  const beside = new Set<string | undefined>(places.map(String))
  const rest = pairsBetween(one, other).filter(
    ({ recorded: then, live, rule }) => then !== live && beside.has(rule),
  )
  return { rules: chosen, pairs: named?.pairs ?? [], rest }
}

/** The differing values that named rules recognise, where something else differs too; `undefined` without any. */
function recognise(
  recorded: Incoming,
  received: Incoming,
  rules: readonly VolatileRule[],
  all: readonly VolatileRule[],
): PartialSuggestion | undefined {
  const [one, other] = readBoth(recorded, received, all)
  if (differsInIdentity(one, other)) return undefined
  const declared = new Set<string | undefined>(rules.map(String))
  const pairs = pairsBetween(one, other).filter(
    ({ recorded: then, live, rule }) => then !== live && !declared.has(rule),
  )
  return pairs.length === 0 ? undefined : { rules: [], pairs, rest: [] }
}

function carriedPlaces(recorded: Incoming, received: Incoming): VolatileRule[] {
  const paths = differingLeaves(recorded, received).map(({ path }) => path)
  return paths.filter((path) => CARRIED.test(String(path)))
}
