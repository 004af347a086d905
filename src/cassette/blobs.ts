import { findBase64 } from '../prompt/base64.ts'
import { kindOfFile } from '../prompt/file-kinds.ts'
import { sha256 } from '../prompt/sha256.ts'
import { refuseFile } from './format/refuse-file.ts'

/** The file name of a blob is its hash, so that a cassette cannot choose a path. */
const BLOB_NAME = /^[0-9a-f]{64}\.[a-z0-9]{2,5}$/

/** Whether a file is one that `extractBlob` could have saved under this name. */
export function isBlob(name: string, bytes: Uint8Array): boolean {
  return BLOB_NAME.test(name) && name.startsWith(sha256(bytes))
}

/**
 * The base64 of an extracted file.
 *
 * @throws CassetteError `invalid-cassette` for a name that no blob has, or a file that does not match its name.
 */
export function loadBlob(name: string, load: (name: string) => Buffer): string {
  if (!BLOB_NAME.test(name)) throw refuseFile(`'${name}' is not the name of a blob`, 'file')
  const bytes = load(name)
  if (!name.startsWith(sha256(bytes)))
    throw refuseFile(`the file blobs/${name} differs from the recorded one`, 'file')
  return bytes.toString('base64')
}

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
