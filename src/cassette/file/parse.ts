import { CassetteError } from '../../errors.ts'
import { parseJson } from '../../json/json-value.ts'
import { describeIssue } from '../parse.ts'
import { fileSchema } from './schema.ts'
import type { StoredFile } from './stored.ts'

/**
 * Reads the text of a file, and checks all of it.
 *
 * @throws CassetteError `invalid-cassette`
 */
export function parseFile(text: string): StoredFile {
  const value = parseJson(text.replace(/^\uFEFF/, ''))
  const { issues } = fileSchema.safeParse(value).error ?? { issues: [] }
  if (issues.length > 0)
    throw new CassetteError('invalid-cassette', describeIssue(issues[0]!, value))
  return value as unknown as StoredFile
}
