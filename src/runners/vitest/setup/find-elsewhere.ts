import type { RunnerTestCase } from 'vitest'
import type { Attempt } from '../../../attempt/attempt.ts'
import { hasLeftAnswers } from '../../../cassette/leftovers.ts'
import { pairRenamed } from '../../../cassette/orphans.ts'
import {
  cassettePath,
  cassettePathIn,
  conversationId,
  FILE_SCOPE,
} from '../../../cassette/paths.ts'
import { sameTitles, type TestPlace } from '../../../cassette/test-place.ts'
import { pathFrom } from '../../../config/paths.ts'
import type { RecordedElsewhere } from '../../../explain/elsewhere.ts'
import { existsSync } from '../../../real/files.ts'
import { foldersUp } from '../../../real/folders-up.ts'
import { dirname, isAbsolute, join } from '../../../real/path.ts'
import { printable } from '../../../text/printable.ts'
import { fromUser, optionsHere, otherHere } from './current-project.ts'
import { placeOfTest } from './place-of-test.ts'
import { type RecordedBeside, recordedBeside } from './recorded-beside.ts'

/** Finds where else a prompt of a test is recorded: the first of the places that hold. */
export function findElsewhere(
  { config, session }: Attempt,
  test: RunnerTestCase,
  root: string,
  hash: string,
): RecordedElsewhere | undefined {
  const isMiss = session.misses.length > 0
  const place = placeOfTest(test, root)
  if (isMiss && hasLeftAnswers(root, config.dir, cassettePathIn(join(root, config.dir), place)))
    return { in: 'killed-run' }
  const beside = recordedBeside(test.file, root, config)
  const other = otherTestWith(hash, place, beside)
  if (other?.in === 'twin' && isMiss) return other
  const hasCassette = session.cassette !== undefined
  if (other?.in === 'other-test' && hasCassette !== isMiss) return other
  if (!isMiss) return undefined
  if (hasCassette) return undefined
  return inFolderAbove(root, config.dir) ?? inLoneCassette(hash, cassettePath(place), beside)
}

/** The first test of the file that has a prompt in its cassette; one of the same title comes before all others. */
function otherTestWith(
  hash: string,
  own: TestPlace,
  beside: RecordedBeside,
): Extract<RecordedElsewhere, { in: 'twin' | 'other-test' }> | undefined {
  const ownTitles = sameTitles(own.titles)
  const isTwin = ({ titles }: TestPlace): boolean => sameTitles(titles) === ownTitles
  const others = beside
    .testsWith(hash)
    .filter((place) => place.ordinal !== own.ordinal || !isTwin(place))
  const place = others.find(isTwin) ?? others[0]
  return (
    place && {
      in: isTwin(place) ? 'twin' : 'other-test',
      title: printable(conversationId(place)),
      cassette: fromUser(beside.store.display(beside.pathOf(place))),
    }
  )
}

/** The cassette that a test without one had under its old name. */
function inLoneCassette(
  hash: string,
  place: string,
  beside: RecordedBeside,
): RecordedElsewhere | undefined {
  const { store } = beside
  const lone = beside.lone(place)
  const same = [...lone].flatMap(([path, asks]) => (asks === hash ? path : []))
  const old = pairRenamed([place], same)[0]?.from
  const from = old ?? onlyLoneBeside(lone.keys(), place)
  if (from === undefined) return undefined
  return {
    in: old === undefined ? 'perhaps-renamed' : 'renamed',
    from: fromUser(store.display(from)),
    to: fromUser(store.display(place)),
  }
}

/** The only cassette of the same test file whose test is gone. */
function onlyLoneBeside(lones: Iterable<string>, place: string): string | undefined {
  const [lone, ...others] = [...lones].filter((path) => dirname(path) === dirname(place))
  return others.length === 0 && lone !== undefined && !lone.endsWith(`/${FILE_SCOPE}`)
    ? lone
    : undefined
}

/** Whether Vitest was started below its config, whose folder it then does not take for the root. */
function isBelowConfig(): boolean {
  const words = optionsHere()
  return words[words.indexOf('--config') + 1]?.startsWith('..') === true
}

/** The nearest folder with recordings above a root that has none. */
function inFolderAbove(root: string, dir: string): RecordedElsewhere | undefined {
  if (!isBelowConfig() || isAbsolute(dir) || existsSync(join(root, dir))) return undefined
  const above = foldersUp(root).slice(1)
  const found = above.find((folder) => existsSync(join(folder, dir)))
  if (found === undefined) return undefined
  return {
    in: 'folder-above',
    folder: fromUser(pathFrom(root, found)),
    command: otherHere()?.command ?? 'npx vitest run',
  }
}
