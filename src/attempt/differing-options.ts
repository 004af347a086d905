import type { ResolvedConfig } from '../config/resolved-config.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import { isAgentName, isVolatileName } from '../config/volatile-rule.ts'
import { countOf } from '../text/count-of.ts'

/** Options whose values are words of ours, or numbers. Of all others nobody is told the values. */
const PLAIN = [
  'network',
  'keys',
  'unused',
  'orphans',
  'compileCache',
  'recordErrors',
  'maxCassetteBytes',
  'images',
  'repeats',
  'unordered',
  'pace',
  'maxAge',
  'maxFailures',
  'invalid',
] as const satisfies ReadonlyArray<keyof ResolvedConfig>

/** Options that hold words of the user. */
const PRIVATE = [
  'dir',
  'hosts',
  'allowHosts',
  'mcp',
  'report',
  'redact',
  'faults',
  'prices',
  'speakers',
  'retiredModels',
  'whyInvalid',
] as const satisfies ReadonlyArray<keyof ResolvedConfig>

/** The options that differ from the defaults, in words that hold nothing of the user: no host, no pattern, no path. */
export function differingOptions(config: ResolvedConfig): Record<string, string> {
  const defaults = resolveConfig({}, { ci: false, recordInCi: false })
  const differs = (name: keyof ResolvedConfig): boolean =>
    spell(config[name]) !== spell(defaults[name])
  return Object.fromEntries([
    ...PLAIN.filter(differs).map((name) => [name, JSON.stringify(config[name])]),
    ...PRIVATE.filter(differs).map((name) => [name, countIn(config[name])]),
    ...(differs('volatile') ? [['volatile', describeRules(config.volatile)]] : []),
    ...(differs('params') ? [['params', JSON.stringify(config.params.strategy)]] : []),
  ]) as Record<string, string>
}

/** Functions and patterns differ from whatever the default is. */
function spell(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'function' || one instanceof RegExp ? 'set' : one,
  )
}

function countIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'set'
  const { length } = Array.isArray(value) ? value : Object.keys(value)
  return countOf(length, 'entry', 'entries')
}

function describeRules(rules: ResolvedConfig['volatile']): string {
  const named = rules.filter((rule) => isVolatileName(rule) || isAgentName(rule))
  const others = rules.length - named.length
  return [...named, ...(others > 0 ? [countOf(others, 'rule')] : [])].join(', ')
}
