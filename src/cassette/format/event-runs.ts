import { CassetteError } from '../../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { keysOfPointer } from '../../json/json-pointer.ts'

/**
 * Restores the events of a stream.
 *
 * @throws CassetteError `invalid-cassette` for a run with a pointer that leads nowhere, or with different numbers of
 * values
 */
export function restoreRuns(stored: readonly JsonValue[]): JsonValue[] {
  return stored.flatMap((item) => {
    if (!isJsonObject(item) || !Object.hasOwn(item, 'next')) return [item]
    const { next, ...first } = item
    const columns = isJsonObject(next) ? Object.entries(next) : []
    const count = Array.isArray(columns[0]?.[1]) ? columns[0][1].length : 0
    const isWhole = columns.every(([, values]) => Array.isArray(values) && values.length === count)
    if (count === 0 || !isWhole) throw broken()
    const paths = columns.map(([pointer]) => keysOfPointer(pointer))
    const rest = Array.from({ length: count }, (_, index) =>
      columns.reduce<JsonValue>(
        (event, [, values], column) =>
          replaceAt(event, paths[column]!, 0, (values as JsonValue[])[index]!),
        first,
      ),
    )
    return [first, ...rest]
  })
}

function replaceAt(
  value: JsonValue,
  keys: readonly string[],
  at: number,
  leaf: JsonValue,
): JsonValue {
  if (at === keys.length) return leaf
  const key = keys[at]!
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) throw broken()
  const inner = replaceAt((value as JsonObject)[key]!, keys, at + 1, leaf)
  if (Array.isArray(value)) return value.with(Number(key), inner)
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, child]) => [
      name,
      name === key ? inner : child,
    ]),
  )
}

function broken(): CassetteError {
  return new CassetteError('invalid-cassette', 'a run of events does not hold together')
}
