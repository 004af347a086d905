import { TestFiles } from '../cassette/disk/test-file.ts'
import { pathFrom } from '../config/paths.ts'
import { CassetteError } from '../errors.ts'

/** Names that no other can be like are told at once. */
const UNLIKE = /^[\x20-\x5e\x60-\x7e]+(?:\/[^/_]*|\/_file\.json)$/

/**
 * Refuses to record where another test file would have the same cassettes: their names differ in how letters are composed
 * alone, or in characters that no path may have.
 *
 * @param path the path of the cassette, below the cassette folder
 * @returns the reason where nothing may be recorded
 */
export function refuseSharedName(root: string, path: string): CassetteError | undefined {
  if (UNLIKE.test(path)) return undefined
  const files = new TestFiles(root).overwriting(path)
  if (files.length === 0) return undefined
  const names = files.map((file) => escaped(pathFrom(root, file))).sort()
  return new CassetteError(
    'recording-refused',
    `Nothing is recorded: the cassettes of ${names.join(' and ')} would overwrite each other\n` +
      'Their names differ only in how letters are composed, or in characters that no path of a cassette has. Give one of them another name. Then record it again.',
  )
}

/** A name in which two spellings look different. */
function escaped(name: string): string {
  return name.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
