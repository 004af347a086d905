import { createRequire } from 'node:module'
import { tryParseJson, type JsonObject } from '../json/json-value.ts'
import { readUtf8 } from './utf8.ts'

/**
 * One part of a multipart body: `name`, `filename` and `type` where it has them, and what it holds as
 * `json`, `text` or `base64`.
 */
export type FormPart = JsonObject

const BOUNDARY = /^multipart\/.*?;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i

/** No body is refused for its size: the provider reads it too. */
const UNLIMITED = { maxFileSize: Infinity, maxParts: Infinity, maxTotalSize: Infinity }

/** The parts of a multipart body, without their boundary, which is another at every run. */
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
      ...readContent(content),
    }))
  } catch {
    // No form after all: its bytes say all there is to say.
    return undefined
  }
}

/** The parts of a form as a text, one to a line. */
export function formText(parts: readonly FormPart[]): string {
  return parts.map((part) => JSON.stringify(part)).join('\n')
}

function readContent(bytes: Uint8Array): JsonObject {
  const text = readUtf8(bytes)
  if (text === undefined) return { base64: Buffer.from(bytes).toString('base64') }
  const value = tryParseJson(text)
  return typeof value === 'object' && value !== null ? { json: value } : { text }
}

/** Loaded at the first form: most tests never send one. */
function parser(): typeof import('@remix-run/multipart-parser') {
  return createRequire(import.meta.url)(
    '@remix-run/multipart-parser',
  ) as typeof import('@remix-run/multipart-parser')
}
