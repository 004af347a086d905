import { say } from '../../../attempt/say.ts'
import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import { sameTitles } from '../../../cassette/test-place.ts'
import { pathFrom } from '../../../config/paths.ts'
import { printable } from '../../../text/printable.ts'
import { rememberFor } from '../../../remember.ts'
import { placesIn, titlesOf } from './titles.ts'

/** The titles that several tests of a file have, as {@link sameTitles} spells them. */
export const titlesShared: (file: RunnerTestFile) => ReadonlySet<string> = rememberFor((file) => {
  const later = [...placesIn(file).values()].filter(({ ordinal }) => ordinal > 0)
  return new Set(later.map(({ titles }) => sameTitles(titles)))
})

/** The titles of which {@link warnOfSharedTitles} has warned, by file. */
const named: WeakMap<RunnerTestFile, Set<string>> = new WeakMap()

/** Warns once of titles that several tests of a file have. */
export function warnOfSharedTitles(test: RunnerTestCase, root: string): void {
  const titles = titlesOf(test)
  const own = sameTitles(titles)
  let known = named.get(test.file)
  if (!known) named.set(test.file, (known = new Set()))
  if (known.has(own)) return
  if (!titlesShared(test.file).has(own)) return
  known.add(own)
  const place = [pathFrom(root, test.file.filepath), ...titles].join(' > ')
  say(
    `[vitest-cassette] Several tests are called "${printable(place)}". Only their order tells their cassettes apart: give each test a title of its own.`,
  )
}
