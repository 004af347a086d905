import { isJsonObject, type JsonValue } from '../../../json/json-value.ts'
import type { Part, Prompt } from '../../../prompt/prompt.ts'
import { sha256 } from '../../../prompt/sha256.ts'
import { jsonOf, type Body } from '../../../wire/body.ts'

/** Pictures in base64, by the hash that a prompt has in their place. */
export type CarriedPictures = ReadonlyMap<string, string>

/** The types that chat completions and messages both accept. */
const KINDS = /^image\/(?:png|jpeg|gif|webp)$/

type Picture = Extract<Part, { type: 'blob' }> & { mimeType: string }

/** Whether a part is a picture that other providers accept too. */
export function isPicture(part: Part): part is Picture {
  return part.type === 'blob' && part.mimeType !== undefined && KINDS.test(part.mimeType)
}

/** The pictures of a request; `undefined` where one is not found in it as base64. */
export function carriedPictures({ messages }: Prompt, body: Body): CarriedPictures | undefined {
  const meant = new Set(
    messages.flatMap(({ parts }) => parts.filter(isPicture).map(({ hash }) => hash)),
  )
  const found = new Map<string, string>()
  if (meant.size > 0) visit(jsonOf(body) ?? null)
  return found.size === meant.size ? found : undefined

  function visit(value: JsonValue): void {
    if (Array.isArray(value)) return value.forEach(visit)
    if (isJsonObject(value)) return Object.values(value).forEach(visit)
    if (typeof value !== 'string') return
    const base64 = value.replace(/^data:[^,]*,/, '')
    const hash = sha256(base64)
    if (meant.has(hash)) found.set(hash, base64)
  }
}

/** Whether the result of a tool holds a file; a prompt has the hash in its place. */
export function holdsFile(result: JsonValue): boolean {
  return [result]
    .flat()
    .some((part) => isJsonObject(part) && part.type === 'blob' && 'hash' in part)
}
