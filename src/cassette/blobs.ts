import { CassetteError } from '../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { findBase64 } from '../prompt/base64.ts'
import { sha256 } from '../prompt/sha256.ts'

/** Files that a person can open, by their first bytes (in base64, as they stand in a prompt). */
const EXTENSIONS: ReadonlyArray<readonly [start: string, extension: string]> = [
  ['iVBORw0KGgo', 'png'],
  ['/9j/', 'jpg'],
  ['R0lGODdh', 'gif'],
  ['R0lGODlh', 'gif'],
  ['UklGR', 'riff'],
  ['JVBERi0', 'pdf'],
  ['SUQz', 'mp3'],
  ['//uQ', 'mp3'],
  ['//sw', 'mp3'],
  ['T2dnUw', 'ogg'],
  ['ZkxhQw', 'flac'],
  ['AAAAIGZ0eX', 'mp4'],
  ['AAAAHGZ0eX', 'mp4'],
  ['GkXfo', 'webm'],
  ['UEsDB', 'zip'],
]

/** A blob's file name is its hash and nothing that a cassette could choose. */
const BLOB_NAME = /^[0-9a-f]{64}\.[a-z0-9]{2,5}$/

/** Moves images, audio and documents out of a value; `save` gets each file's name and bytes. */
export function extractBlobs(
  value: JsonValue,
  save: (name: string, bytes: Buffer) => void,
): JsonValue {
  if (typeof value === 'string') return extractBlob(value, save)
  if (Array.isArray(value)) return value.map((item) => extractBlobs(item, save))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.keys(value).map((key) => [key, extractBlobs(value[key]!, save)]))
}

/**
 * Puts extracted files back where they stood.
 *
 * @throws CassetteError `invalid-cassette` for a name that is no blob's, or a file that is not what its name says.
 */
export function insertBlobs(value: JsonValue, load: (name: string) => Buffer): JsonValue {
  if (Array.isArray(value)) return value.map((item) => insertBlobs(item, load))
  if (!isJsonObject(value)) return value
  // A wrapped object is the user's own, whatever its keys are called.
  if (isJsonObject(value.$json)) return { $json: insertInto(value.$json, load) }
  if (typeof value.$blob === 'string')
    return String(value.prefix ?? '') + loadBlob(value.$blob, load)
  return insertInto(value, load)
}

function insertInto(value: JsonObject, load: (name: string) => Buffer): JsonObject {
  return Object.fromEntries(Object.keys(value).map((key) => [key, insertBlobs(value[key]!, load)]))
}

function extractBlob(text: string, save: (name: string, bytes: Buffer) => void): JsonValue {
  const content = findBase64(text)
  const extension = content && EXTENSIONS.find(([start]) => content.base64.startsWith(start))?.[1]
  if (!content || !extension) return text
  const bytes = Buffer.from(content.base64, 'base64')
  // Unusual spellings (base64url, stray bits) would not come back as they were sent.
  if (bytes.toString('base64') !== content.base64) return text
  const name = `${sha256(bytes)}.${extension}`
  save(name, bytes)
  return content.prefix ? { $blob: name, prefix: content.prefix } : { $blob: name }
}

function loadBlob(name: string, load: (name: string) => Buffer): string {
  if (!BLOB_NAME.test(name))
    throw new CassetteError('invalid-cassette', `'${name}' is not the name of a blob`)
  const bytes = load(name)
  if (!name.startsWith(sha256(bytes))) {
    throw new CassetteError('invalid-cassette', `the file blobs/${name} is not what was recorded`)
  }
  return bytes.toString('base64')
}
