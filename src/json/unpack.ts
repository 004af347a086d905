/** The place of a value that JSON cannot hold: an expression with its source and flags, or an infinite number. */
export type PackedPlace = [place: string[], source?: string, flags?: string]

// Kept before a test can fake it.
const { parse } = JSON

/** The value of a text that `packValue` wrote. */
export function unpackValue(text: string): unknown {
  const [value, special] = parse(text) as [unknown, PackedPlace[]]
  for (const [place, source, flags] of special) {
    let owner = value as Record<string, unknown>
    for (const key of place.slice(0, -1)) owner = owner[key] as typeof owner
    owner[place.at(-1)!] = source === undefined ? Infinity : new RegExp(source, flags)
  }
  return value
}
