import type { JsonObject } from '../json/json-value.ts'
import { requireFrom } from '../real/load-later.ts'
import { readUtf8 } from './utf8.ts'
import type { FormPart } from './write/form.ts'

export type { FormPart } from './write/form.ts'

const BOUNDARY = /^multipart\/.*?;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i

/** Headers of a part that describe or identify its content. */
const PART_HEADERS = [
  'content-description',
  'content-encoding',
  'content-id',
  'content-language',
  'content-location',
  'content-transfer-encoding',
]

/** Encodings that leave content as it is, so that a server may ignore them. */
const AS_IT_IS = /^(?:7bit|8bit|binary|identity)$/i

/** No body is refused for its size: the provider reads it too. */
const UNLIMITED = { maxFileSize: Infinity, maxParts: Infinity, maxTotalSize: Infinity }

/** The parts of a multipart body, without their boundary, which differs in every run. */
export function readForm(bytes: Uint8Array, contentType: string): FormPart[] | undefined {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) return undefined
  try {
    const parts = [...parser().parseMultipart(bytes, { boundary, ...UNLIMITED })]
    return parts.map(({ name, filename, headers, bytes: content }) => ({
      ...(name === undefined ? {} : { name }),
      ...(filename === undefined ? {} : { filename }),
      ...(headers['content-type'] === undefined ? {} : { type: headers['content-type'] }),
      ...readPartHeaders(headers),
      ...readContent(content),
    }))
  } catch {
    // The body is no form after all, and is kept as bytes or text.
    return undefined
  }
}

function readPartHeaders(sent: Record<string, string | undefined>): JsonObject {
  const kept: JsonObject = {}
  for (const name of PART_HEADERS) {
    const value = sent[name]
    const isEncoding = name.endsWith('-encoding')
    if (value === undefined || (isEncoding && AS_IT_IS.test(value))) continue
    // Encodings are named in any case (RFC 2045).
    kept[name] = isEncoding ? value.toLowerCase() : value
  }
  return Object.keys(kept).length > 0 ? { headers: kept } : {}
}

function readContent(bytes: Uint8Array): JsonObject {
  const text = readUtf8(bytes)
  return text === undefined ? { base64: Buffer.from(bytes).toString('base64') } : { text }
}

/** Loaded at the first form: most tests never send one. */
function parser(): typeof import('@remix-run/multipart-parser') {
  return requireFrom(import.meta.url)(
    '@remix-run/multipart-parser',
  ) as typeof import('@remix-run/multipart-parser')
}
