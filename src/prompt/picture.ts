import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import type { FoundBase64 } from './base64.ts'
import { kindOfFile } from './file-kinds.ts'
import { markOfBase64, markOfPicture } from './canonical.ts'

/** The pictures among the long base64 texts of a request: those whose pixels can be compared. */
export function picturesAmong(found: readonly FoundBase64[]): FoundBase64[] {
  return found.filter(({ base64 }) => kindOfFile(base64)?.picture)
}

/** A canonical request without the content of its pictures: only their number, kinds and places count. */
export function withoutPictures(canonical: JsonValue, pictures: readonly FoundBase64[]): JsonValue {
  const marks = new Map(
    pictures.map((picture) => [markOfBase64(picture), markOfPicture(picture)] as const),
  )
  function without(value: JsonValue): JsonValue {
    if (typeof value === 'string') return marks.get(value) ?? value
    if (Array.isArray(value)) return value.map(without)
    if (!isJsonObject(value)) return value
    const object = Object.create(null)
    for (const key of Object.keys(value)) object[key] = without(value[key]!)
    return object
  }
  return without(canonical)
}
