import { type JsonValue, mapInside } from '../json/json-value.ts'
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
  const without = (value: JsonValue): JsonValue =>
    typeof value === 'string' ? (marks.get(value) ?? value) : mapInside(value, without)
  return without(canonical)
}
