import type { ResolvedConfig } from '../config/resolved-config.ts'
import { resolveConfig } from '../config/resolved-config.ts'
import { isAgentName, isVolatileName } from '../config/volatile-rule.ts'
import { isPattern } from '../text/is-pattern.ts'
import { countOf } from '../text/count-of.ts'

/** What a config has that is no option, and the two options that have words of their own. */
type Apart = 'mode' | 'run' | 'allBytes' | 'renews' | 'volatile' | 'params'

/** How each option is told: by its value, which is a word of ours or a number, or by how many entries of the user it has. */
const TOLD_BY: Record<Exclude<keyof ResolvedConfig, Apart>, 'value' | 'count'> = {
  network: 'value',
  keys: 'value',
  unused: 'value',
  orphans: 'value',
  compileCache: 'value',
  recordErrors: 'value',
  maxCassetteBytes: 'value',
  followLinks: 'value',
  images: 'value',
  repeats: 'value',
  unordered: 'value',
  pace: 'value',
  maxAge: 'value',
  maxFailures: 'value',
  invalid: 'value',
  dir: 'count',
  hosts: 'count',
  allowHosts: 'count',
  mcp: 'count',
  report: 'count',
  redact: 'count',
  faults: 'count',
  prices: 'count',
  speakers: 'count',
  retiredModels: 'count',
  whyInvalid: 'count',
}

/** The options that differ from the defaults, in words that hold nothing of the user: no host, no pattern, no path. */
export function differingOptions(config: ResolvedConfig): Record<string, string> {
  const defaults = resolveConfig({}, { ci: false, recordInCi: false })
  const differs = (name: keyof ResolvedConfig): boolean =>
    spell(config[name]) !== spell(defaults[name])
  return Object.fromEntries([
    ...(Object.keys(TOLD_BY) as Array<keyof typeof TOLD_BY>)
      .filter(differs)
      .map((name) => [
        name,
        TOLD_BY[name] === 'value' ? JSON.stringify(config[name]) : countIn(config[name]),
      ]),
    ...(differs('volatile') ? [['volatile', describeRules(config.volatile)]] : []),
    ...(differs('params') ? [['params', JSON.stringify(config.params.strategy)]] : []),
  ]) as Record<string, string>
}

/** Functions and patterns differ from whatever the default is. */
function spell(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'function' || isPattern(one) ? 'set' : one,
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
