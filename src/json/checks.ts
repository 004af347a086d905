// Helpers of the checks that are compiled from schemas.

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A plain object, and not an instance of a class. */
export function isRecord(value: unknown): boolean {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

export function hasOnly(value: object, keys: readonly string[]): boolean {
  for (const key in value) if (!keys.includes(key)) return false
  return true
}

export function isListOf<Item>(value: unknown, is: (item: Item) => boolean): boolean {
  if (!Array.isArray(value)) return false
  for (const item of value as Item[]) if (!is(item)) return false
  return true
}
