/** Remembers what a function gave for its last few texts: a test asks at one address again and again. */
export function remember<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const result = known.get(text) ?? read(text)
    // What is more is rare, and begins anew.
    if (known.size >= 100) known.clear()
    known.set(text, result)
    return result
  }
}
