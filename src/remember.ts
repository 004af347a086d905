/** Remembers the results of a function for its last few texts: a test sends many requests to one address. */
export function remember<Result, Key = string>(read: (text: Key) => Result): (text: Key) => Result {
  const results = new Map<Key, Result>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    // More texts are rare: then it begins anew.
    if (results.size >= 1_000) results.clear()
    const result = read(text)
    results.set(text, result)
    return result
  }
}

/** How long all texts together may be that a function remembers, in UTF-16 units. */
const MAX_LENGTH = 4_000_000

/** As {@link remember}, for texts of any length. */
export function rememberTexts<Result>(read: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>()
  let length = 0
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = read(text)
    length += text.length
    if (length > MAX_LENGTH) {
      results.clear()
      length = text.length
    }
    if (length <= MAX_LENGTH) results.set(text, result)
    return result
  }
}

/** Remembers the result of a function for an object, as long as the object lives; whatever else it gets goes with that. */
export function rememberFor<Key extends object, Result, Rest extends unknown[] = []>(
  read: (key: Key, ...rest: Rest) => Result,
): (key: Key, ...rest: Rest) => Result {
  const results = new WeakMap<Key, { result: Result }>()
  return (key, ...rest) => {
    let known = results.get(key)
    if (!known) results.set(key, (known = { result: read(key, ...rest) }))
    return known.result
  }
}
