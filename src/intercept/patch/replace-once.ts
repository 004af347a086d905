/** Marks a replacement with what it replaced; known to every copy of this package in the process. */
const REPLACED = Symbol.for('vitest-cassette.replaced')

/**
 * Replaces a function of a built-in module or class. What another copy of this package put there, such as
 * that of the last file in a vm pool, is taken away first. Returns what puts the function back.
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
