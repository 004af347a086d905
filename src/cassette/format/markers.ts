/** A marker, or a key of the data that would be one without the `$` in front of it. */
const LIKE_A_MARKER = /^\$+(?:join|like|without|items|of|each|file)?$/

/** A key of the data, as a file has it: one that could be taken for a marker has one more `$`. */
export function escapeKey(key: string): string {
  return key[0] === '$' && LIKE_A_MARKER.test(key) ? `$${key}` : key
}

/** A key of a file, as the data has it; `undefined` for a marker. */
export function unescapeKey(key: string): string | undefined {
  if (key[0] !== '$' || !LIKE_A_MARKER.test(key)) return key
  return LIKE_A_MARKER.test(key.slice(1)) ? key.slice(1) : undefined
}
