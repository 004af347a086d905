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
