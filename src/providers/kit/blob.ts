import { kindOfFile } from '../../prompt/file-kinds.ts'
import type { Part } from '../../prompt/prompt.ts'
import { sha256 } from '../../prompt/sha256.ts'

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i

/** A part for inline binary content, with its hash instead of its base64 text. */
export function blobOf(base64: string, mimeType?: string): Part {
  const size = Buffer.byteLength(base64, 'base64')
  return { type: 'blob', ...(mimeType ? { mimeType } : {}), hash: sha256(base64), size }
}

/** A part for a picture that is sent without its type. The first bytes tell the type. */
export function pictureOf(base64: string): Part {
  return blobOf(base64, kindOfFile(base64)?.picture)
}

/** A part for content behind a URL: a blob for a data URL, otherwise a link. */
export function contentAt(url: string): Part {
  const [prefix, mimeType] = DATA_URL.exec(url.slice(0, 512)) ?? []
  return prefix === undefined
    ? { type: 'uri', uri: url }
    : blobOf(url.slice(prefix.length), mimeType)
}
