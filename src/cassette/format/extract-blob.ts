import { findBase64 } from '../../prompt/base64.ts'
import { kindOfFile } from '../../prompt/file-kinds.ts'
import { sha256 } from '../../prompt/sha256.ts'

/**
 * The stored form of an image, audio or document, or `undefined` for a text that is none; `save`
 * gets the file's name and bytes.
 */
export function extractBlob(
  text: string,
  save: (name: string, bytes: Buffer) => void,
): { $file: string; before?: string } | undefined {
  const content = findBase64(text)
  const extension = content && kindOfFile(content.base64)?.extension
  if (!content || !extension) return undefined
  const bytes = Buffer.from(content.base64, 'base64')
  // Unusual spellings (base64url, stray bits) would not come back as they were sent.
  if (bytes.toString('base64') !== content.base64) return undefined
  const name = `${sha256(bytes)}.${extension}`
  save(name, bytes)
  return content.prefix ? { $file: name, before: content.prefix } : { $file: name }
}
