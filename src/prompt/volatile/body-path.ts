/** A place in a body: keys and positions from the outermost inwards. */
export type BodyPath = ReadonlyArray<string | number>

/** A path as rules spell it. */
export function spellPath(path: BodyPath): string {
  return path.reduce<string>(
    (spelled, key) => spelled + (typeof key === 'number' ? `[${key}]` : `.${key}`),
    '$',
  )
}
