import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import type { FoundBase64 } from '../prompt/base64.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { PictureComparer } from '../pictures/compare-pictures.ts'
import type { Incoming } from '../engine/incoming.ts'
import type { Recorded } from '../engine/recorded.ts'

/**
 * The prompt of this run for a diff with a recorded one. Recorded pictures replace pictures that look like them, so
 * that these are no change.
 */
export function withRecordedPictures(
  prompt: Prompt,
  known: Recorded,
  asked: Incoming,
  pictures: PictureComparer<Incoming> | undefined,
): Prompt {
  const recorded = new Map<string, FoundBase64>()
  const compared = pictures?.compare(known, asked) ?? []
  for (const pair of compared) recorded.set(pair.asked.hash, pair.recorded)
  // A picture has to look alike in each of its squares, and at each of its places.
  for (const pair of compared) if (!pictures!.isAlike(pair)) recorded.delete(pair.asked.hash)
  if (recorded.size === 0) return prompt
  function replace(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map(replace)
    if (!isJsonObject(value)) return value
    const picture = value.type === 'blob' && recorded.get(String(value.hash))
    if (!picture)
      return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, replace(child)]))
    const { hash, base64 } = picture
    return { ...value, hash, size: Buffer.byteLength(base64, 'base64') }
  }
  return { ...prompt, messages: replace(prompt.messages as never) as never }
}
