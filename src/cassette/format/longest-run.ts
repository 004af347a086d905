/** Consecutive items of an array that an earlier array at the same place also has. */
export interface Run {
  exchange: string
  /** The position of the first of them in the earlier array. */
  from: number
  count: number
}

/** The most occurrences of an item to try; more threads than this rarely run side by side. */
const MAX_CANDIDATES = 8

/**
 * Finds the items that an array shares with earlier ones, also where an application dropped the oldest messages or
 * put a summary in their place.
 */
export class LongestRun {
  readonly #arrays: Array<{ exchange: string; keys: string[] }> = []
  readonly #occurrences: Map<string, Array<[array: number, position: number]>> = new Map()

  /** Makes an array known by the keys of its items. */
  add(pointer: string, exchange: string, keys: string[]): void {
    const array = this.#arrays.push({ exchange, keys }) - 1
    for (const [position, key] of keys.entries()) {
      const place = `${pointer} ${key}`
      const known = this.#occurrences.get(place) ?? []
      this.#occurrences.set(place, [[array, position], ...known].slice(0, MAX_CANDIDATES) as never)
    }
  }

  /** The longest run that begins with item `start`; of equal ones the latest. */
  find(pointer: string, keys: string[], start: number): Run | undefined {
    let best: Run | undefined
    for (const [array, from] of this.#occurrences.get(`${pointer} ${keys[start]}`) ?? []) {
      const { exchange, keys: earlier } = this.#arrays[array]!
      let count = 0
      while (start + count < keys.length && keys[start + count] === earlier[from + count]) count++
      if (count > (best?.count ?? 0)) best = { exchange, from, count }
    }
    return best
  }
}
