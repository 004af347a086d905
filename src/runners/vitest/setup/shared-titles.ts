import { say } from '../../../attempt/say.ts'
import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import { sameTitles } from '../../../cassette/test-place.ts'
import { pathFrom } from '../../../config/paths.ts'
import { printable } from '../../../text/printable.ts'
import { titlesOf, titlesShared } from './titles.ts'

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
