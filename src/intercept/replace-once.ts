/** Marks a replacement with what it replaced; known to every copy of this package in the process. */
const REPLACED = Symbol.for('vitest-cassette.replaced')

/**
 * Replaces a function of a built-in module. What another copy of this package put there, such as that
 * of the last file in a vm pool, is taken away first.
 */
export function replaceOnce<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (original: Owner[Name]) => Owner[Name],
): void {
  const current = owner[name] as Owner[Name] & { [REPLACED]?: Owner[Name] }
  const original = current[REPLACED] ?? current
  owner[name] = Object.assign(make(original) as object, { [REPLACED]: original }) as Owner[Name]
}
