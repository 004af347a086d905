type Method = (this: unknown, ...given: unknown[]) => unknown

/** What goes through all that a list, or a text, holds. */
const LISTS =
  'concat every filter find findIndex findLast flatMap forEach includes indexOf join map reduce shift slice some sort toSorted'
const TEXTS = 'includes replace replaceAll split toLowerCase'

/** What goes through what it is given. */
const PATTERNS = 'exec test'

/** What takes the same time however much there is. */
const TABLES = 'get has set add'

/**
 * Counts what is gone through while something is done: items of lists, characters of texts, look-ups. It is the same
 * on a fast machine, a slow one and a busy one.
 */
export async function countWork(act: () => Promise<unknown>): Promise<number> {
  let work = 0
  const undo: Array<() => void> = []
  const watch = (
    owner: object,
    name: string | symbol,
    measure: (self: never, given: never, result: unknown, from: number) => number,
  ): void => {
    const described = Object.getOwnPropertyDescriptor(owner, name)
    if (!described) return
    const method = described.value as Method
    const value: Method = function (...given) {
      const { lastIndex = 0 } = this as { lastIndex?: number }
      const result = Reflect.apply(method, this, given)
      const from = name === 'indexOf' ? Number(given[1] ?? 0) : lastIndex
      work += measure(this as never, given[0] as never, result, from)
      return result
    }
    Object.defineProperty(owner, name, { ...described, value })
    undo.push(() => Object.defineProperty(owner, name, described))
  }
  const lengthOf = (self: { length: number }): number => self.length
  for (const name of LISTS.split(' ')) watch(Array.prototype, name, lengthOf)
  for (const name of TEXTS.split(' ')) watch(String.prototype, name, lengthOf)
  // A search goes on from where the last one ended.
  watch(String.prototype, 'indexOf', ({ length }: { length: number }, _, found, from) =>
    Math.max(1, (Number(found) < 0 ? length : Number(found)) - from),
  )
  for (const name of PATTERNS.split(' ')) watch(RegExp.prototype, name, lengthRead)
  for (const { prototype } of [Map, Set, WeakMap, WeakSet])
    for (const name of TABLES.split(' ')) watch(prototype, name, () => 1)
  watch(JSON, 'parse', (_, text: unknown) => String(text).length)
  watch(JSON, 'stringify', (_, __, text) => String(text).length)
  watch(Object, 'entries', (_, __, entries) => (entries as unknown[]).length)
  // Also where a list is spread into another, or gone through with for.
  watch(Array.prototype, Symbol.iterator, lengthOf)
  try {
    await act()
    return work
  } finally {
    for (const put of undo) put()
  }
}

/** A sticky expression looks at one place; others go on from there to what they find, or to the end. */
function lengthRead(pattern: RegExp, text: string, _: unknown, from: number): number {
  const isGlobal = pattern.global || pattern.sticky
  if (isGlobal && pattern.lastIndex > 0) return pattern.lastIndex - from
  return pattern.sticky ? 1 : String(text).length - (isGlobal ? from : 0)
}
