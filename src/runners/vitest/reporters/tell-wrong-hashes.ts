import { relative, resolve } from 'node:path'
import { editedResponses, isEdited } from '../../../cassette/format.ts'
import {
  CassetteReader,
  type OpenedCassette,
  parseStored,
  withoutName,
} from '../../../cassette/reader.ts'
import { isWithin, slashed } from '../../../config/paths.ts'
import { isCountedHere } from '../../../prompt/request-hash.ts'
import { wrongRequests } from '../../../recording/wrong-hashes.ts'
import type { EndedRun } from './ended-run.ts'

/**
 * Counts the hashes of the cassettes that were replayed anew: their answers were found by them. Names those that are
 * not the hashes of what their files hold; `undefined` if there are none.
 */
export function tellWrongHashes({ asked, folders }: EndedRun): string | undefined {
  const replayed = asked.filter(({ meta }) => meta.replayed > 0).map(({ meta }) => meta.cassette)
  const wrong = [...new Set(replayed)].flatMap((path) => {
    const exchanges = wrongIn(resolve(path), folders)
    return exchanges.length > 0 ? [`  ${path}: ${exchanges.join(', ')}`] : []
  })
  if (wrong.length === 0) return undefined
  return [
    'The hashes of a cassette are not those of what it holds, so it may have answered other prompts than it shows:',
    ...wrong,
    'A recording never writes this: the file was edited and sealed again. Restore it from git, or record its test again',
    'with RECORD=1. What else is wrong with it: npx vitest-cassette verify',
  ].join('\n')
}

/** The exchanges of a file whose hashes are not their own. */
function wrongIn(file: string, folders: EndedRun['folders']): string[] {
  const found = Array.from(folders).find(([folder]) => isWithin(folder, file))
  if (!found) return []
  const [folder, { root, config }] = found
  const { dir, maxCassetteBytes, followLinks } = config
  const reader = new CassetteReader(root, dir, maxCassetteBytes, parseStored, followLinks)
  let opened: OpenedCassette | undefined
  try {
    opened = reader.open(slashed(relative(folder, file)))
  } catch (error) {
    // A picture of a prompt, for instance, which no replay reads.
    return [withoutName(error as Error).split('\n', 1)[0]!]
  }
  // Without a seal that holds, nobody trusts them.
  if (!opened?.stored.seal) return []
  const { stored, cassette, text } = opened
  if (!isCountedHere(stored) || isEdited(stored, text)) return []
  const nameOf = (index: number): string => cassette.exchanges[index]!.id
  const requests = Array.from(
    wrongRequests(stored, cassette).keys(),
    (at) => `request of ${nameOf(at)}`,
  )
  return [...requests, ...editedResponses(stored).map((at) => `response of ${nameOf(at)}`)]
}
