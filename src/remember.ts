/** Remembers what a function gave for its last few texts: a test asks at one address again and again. */
export function remember<Result>(read: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    // What is more is rare, and begins anew.
    if (results.size >= 1_000) results.clear()
    const result = read(text)
    results.set(text, result)
    return result
  }
}

/** Remembers what a function gave for an object, as long as the object lives. */
export function rememberFor<Key extends object, Result>(
  read: (key: Key) => Result,
): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>()
  return (key) => {
    let known = results.get(key)
    if (!known) results.set(key, (known = { result: read(key) }))
    return known.result
  }
}
