/**
 * A rule for the user's own data that is never stored:
 * - a regular expression, all of whose matches are replaced
 * - a function that returns the pieces of a text to replace
 */
export type RedactRule = RegExp | FindPrivate

/** Returns the pieces of `text` that are not to be stored; an empty array when there are none. */
export type FindPrivate = (text: string) => readonly string[]

/** True for a valid rule. */
export function isRedactRule(rule: unknown): rule is RedactRule {
  return rule instanceof RegExp || typeof rule === 'function'
}
