import { takesAnyText } from '../config/check-options.ts'
import { type ResolvedConfig, resolveConfig } from '../config/resolved-config.ts'
import { isAgentName, isVolatileName } from '../config/volatile-rule.ts'
import { isPattern } from '../text/is-pattern.ts'
import { countOf } from '../text/count-of.ts'

/** The options that differ from the defaults, in words that hold nothing of the user: no host, no pattern, no path. */
export function differingOptions(config: ResolvedConfig): Record<string, string> {
  const { mode: _, run: __, allBytes: ___, renews: ____, ...options } = config
  const defaults: Partial<ResolvedConfig> = resolveConfig({}, { ci: false, recordInCi: false })
  const differing = (Object.keys(options) as Array<keyof typeof options>).filter(
    (name) => spell(options[name]) !== spell(defaults[name]),
  )
  return Object.fromEntries(differing.map((name) => [name, describe(name, options[name])]))
}

/** An option by its value, where that is a word of ours or a number, or by how many entries of the user it has. */
function describe(name: string, value: unknown): string {
  if (name === 'volatile') return describeRules(value as ResolvedConfig['volatile'])
  if (name === 'params') return JSON.stringify((value as ResolvedConfig['params']).strategy)
  const isOurs = name === 'images' || (Object(value) !== value && !takesAnyText(name))
  return isOurs ? JSON.stringify(value) : countIn(value)
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
