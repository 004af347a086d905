import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Part } from '../../prompt/prompt.ts'
import type { Entry } from '../conversation.ts'
import type { Pictures } from './find-pictures.ts'
import { printPart, printParts } from './print-part.ts'

/** A wire format in which a conversation can be handed to a provider. */
export type ProviderFormat = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

/** Every format, for messages and checks. */
export const PROVIDER_FORMATS: readonly ProviderFormat[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
]

/** The content of a message with its pictures. Parts that the format does not have become text. */
export function contentOf(entry: Entry, format: ProviderFormat, pictures: Pictures): JsonValue {
  if (!('parts' in entry)) return ''
  const hasPictures = entry.parts.some((part) => imageOf(part, pictures) !== undefined)
  if (!hasPictures && format !== 'anthropic-messages') return printParts(entry.parts, pictures)
  return entry.parts.map((part): JsonObject => {
    const image = imageOf(part, pictures)
    if (image) return writeImage(image, format)
    const type = format === 'openai-responses' ? 'input_text' : 'text'
    return { type, text: printPart(part, pictures) }
  })
}

/** How many pictures and files of a conversation its messages for a provider only name. */
export function countOnlyNamed(entries: readonly Entry[], pictures: Pictures): number {
  const parts = entries.flatMap((entry) => ('parts' in entry ? entry.parts : []))
  const named = parts.filter((part) => part.type === 'blob' && !imageOf(part, pictures))
  const results = entries.flatMap((entry) =>
    entry.role === 'assistant' ? entry.calls.map(({ result = null }) => result) : [],
  )
  return named.length + results.reduce<number>((sum, result) => sum + countBlobs(result), 0)
}

/** The result of a tool is written as text, so its pictures are named there. */
function countBlobs(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countBlobs(item), 0)
  if (!isJsonObject(value)) return 0
  return value.type === 'blob' && typeof value.hash === 'string'
    ? 1
    : countBlobs(Object.values(value))
}

interface Image {
  mimeType: string
  base64: string
}

function imageOf(part: Part, pictures: Pictures): Image | undefined {
  if (part.type !== 'blob') return undefined
  const picture = pictures.get(part.hash)
  const mimeType = part.mimeType ?? mimeTypeOf(picture?.name)
  return picture && mimeType?.startsWith('image/')
    ? { mimeType, base64: picture.base64 }
    : undefined
}

function mimeTypeOf(name: string | undefined): string | undefined {
  const extension = name?.split('.').at(-1)
  if (extension === 'png' || extension === 'gif' || extension === 'webp')
    return `image/${extension}`
  return extension === 'jpg' ? 'image/jpeg' : undefined
}

function writeImage({ mimeType, base64 }: Image, format: ProviderFormat): JsonObject {
  const url = `data:${mimeType};base64,${base64}`
  if (format === 'openai-chat') return { type: 'image_url', image_url: { url } }
  if (format === 'openai-responses') return { type: 'input_image', image_url: url }
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data: base64 } }
}
