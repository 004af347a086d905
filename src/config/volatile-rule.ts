/** The rules that have a name; docs/volatile.md describes each. */
export const VOLATILE_NAMES = [
  'uuid',
  'ulid',
  'hex-id',
  'chat-id',
  'prefixed-id',
  'nanoid',
  'cuid2',
  'ksuid',
  'iso-datetime',
  'date-phrase',
  'clock-time',
  'epoch',
  'tmp-path',
  'home-path',
  'localhost-port',
] as const

export type VolatileName = (typeof VOLATILE_NAMES)[number]

/** Agent programs whose requests this package knows, with the places of their volatile values. */
export const AGENT_NAMES = ['claude-code', 'codex'] as const

export type AgentName = (typeof AGENT_NAMES)[number]

/** A path that a rule can name without wildcards. */
export const SIMPLE_PATH: RegExp = /^\$(?:\.[\w-]+)+$/

/**
 * A rule for the parts of a request's body that may vary between runs:
 * - a name, such as `uuid` or `date-phrase`
 * - an agent program, such as `codex`: all volatile parts of its requests
 * - a path into the JSON body, such as `$.metadata.user_id` or `$.messages[*].id`
 * - a regular expression, each match of which may vary; `g` and `y` make no difference
 * - a function that returns the volatile pieces of a text
 */
export type VolatileRule = VolatileName | AgentName | `$${string}` | RegExp | FindVolatile

/** Returns the pieces of `text` that may vary; an empty array when there are none. */
export type FindVolatile = (text: string) => readonly string[]

export function isVolatileName(rule: unknown): rule is VolatileName {
  return VOLATILE_NAMES.some((name) => name === rule)
}

export function isAgentName(rule: unknown): rule is AgentName {
  return AGENT_NAMES.some((name) => name === rule)
}
