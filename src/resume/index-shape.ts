import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

/** What an index says of one conversation. */
export type IndexEntry = JsonObject & { id: string }

/** An index in the shape that its program gave it. */
export interface IndexShape {
  entries: IndexEntry[]
  /** The index with other entries. An index with fields of its own gets `fields`, too. */
  withEntries(entries: readonly IndexEntry[], fields: JsonObject): JsonValue
}

const FIRST = { version: '1.0' }

/** An index of this package. */
export const NEW_INDEX: IndexShape = {
  entries: [],
  withEntries: (entries, fields) => ({ ...FIRST, ...fields, conversations: [...entries] }),
}

/** Entries in one place of an index, and the way back. */
interface Place {
  entries: IndexEntry[]
  put(entries: readonly IndexEntry[]): JsonValue
}

/**
 * Reads an index: `{ "conversations": … }` or what is in it alone, which is a list of entries, a list of ids, or an
 * object of entries by id. `undefined` for anything else.
 */
export function readIndex(value: JsonValue | undefined): IndexShape | undefined {
  if (isJsonObject(value) && value.conversations !== undefined) {
    const place = readList(value.conversations) ?? readMap(value.conversations)
    if (!place) return undefined
    const { entries, put } = place
    return {
      entries,
      withEntries: (others, fields) => ({
        ...FIRST,
        ...value,
        ...fields,
        conversations: put(others),
      }),
    }
  }
  const alone = readList(value) ?? readMap(value)
  // An empty one may be anything.
  return alone && alone.entries.length > 0
    ? { entries: alone.entries, withEntries: alone.put }
    : undefined
}

function readList(list: JsonValue | undefined): Place | undefined {
  if (!Array.isArray(list)) return undefined
  if (list.length > 0 && list.every((id) => typeof id === 'string'))
    return { entries: list.map((id) => ({ id })), put: (entries) => entries.map(({ id }) => id) }
  const isEntry = (one: JsonValue): one is IndexEntry =>
    isJsonObject(one) && typeof one.id === 'string'
  return list.every(isEntry) ? { entries: list, put: (entries) => [...entries] } : undefined
}

function readMap(map: JsonValue | undefined): Place | undefined {
  if (!isJsonObject(map)) return undefined
  const named = Object.entries(map)
  if (!named.every((one): one is [string, JsonObject] => isJsonObject(one[1]))) return undefined
  return {
    entries: named.map(([id, entry]) => ({ ...entry, id })),
    put: (entries) => Object.fromEntries(entries.map((entry) => [entry.id, entry])),
  }
}
