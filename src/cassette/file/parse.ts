import { CassetteError } from '../../errors.ts'
import { parseJson } from '../../json/json-value.ts'
import { isFile } from './is-file.ts'
import type { StoredFile } from './stored.ts'

/**
 * Reads the text of a file, and checks all of it.
 *
 * @throws CassetteError `invalid-cassette`
 */
export function parseFile(text: string): StoredFile {
  const value = parseJson(text.replace(/^\uFEFF/, ''))
  if (!isFile(value)) throw new CassetteError('invalid-cassette', 'it is no cassette')
  return value as unknown as StoredFile
}
