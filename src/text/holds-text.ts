/** A cheap check: where it finds nothing, no placeholder is in a text. */
export const MAY_BE_PLACEHOLDER: RegExp = /REDACTED(?::|%3)/

/** As {@link MAY_BE_PLACEHOLDER}, for the placeholders of rules. */
export const MAY_BE_NUMBERED: RegExp = /REDACTED(?::|%3[Aa])[\w-]+\.\d/

/** Whether a text in a value, or a key, matches a pattern. Bytes are no texts, and no JSON is written out for it. */
export function holdsText(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  for (const key in value)
    if (pattern.test(key) || holdsText((value as Record<string, unknown>)[key], pattern))
      return true
  return false
}
