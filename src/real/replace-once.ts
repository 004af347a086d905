/** The key under which a replacement keeps the original function; shared by all copies of this package. */
const REPLACED = Symbol.for('vitest-cassette.replaced')

/**
 * Replaces a function of a built-in module or class. First removes the replacement of another copy of this package,
 * such as that of the last file in a vm pool. Returns a function that restores the original.
 */
export function replaceOnce<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (original: Owner[Name]) => Owner[Name],
): () => void {
  const current = owner[name] as Owner[Name] & { [REPLACED]?: Owner[Name] }
  const original = current[REPLACED] ?? current
  const replacement = Object.assign(make(original) as object, { [REPLACED]: original })
  owner[name] = replacement as Owner[Name]
  return () => {
    if (owner[name] === replacement) owner[name] = original
  }
}
