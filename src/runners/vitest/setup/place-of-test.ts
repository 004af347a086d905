import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import { pathFrom } from '../../../config/paths.ts'
import { sameTitles, type TestPlace } from '../../../cassette/test-place.ts'
import { loadRows } from './load-rows.ts'
import type { TestRow } from './rows.ts'
import { titlesShared } from './shared-titles.ts'
import { placesIn, titlesOf } from './titles.ts'

/** The place of a test, which its first request decides if others of its file have the same titles. */
export interface PlaceOfTest extends TestPlace {
  row?: TestRow | undefined
}

/** The place of a test: its file, its titles, and its ordinal among tests of the same titles. */
export function placeOfTest(test: RunnerTestCase, root: string): PlaceOfTest {
  const place = placesIn(test.file).get(test) ?? { titles: titlesOf(test), ordinal: 0 }
  const file = pathFrom(root, test.file.filepath)
  const isRow = titlesShared(test.file).has(sameTitles(place.titles))
  const row = isRow ? loadRows().rowOf(test, file, root) : undefined
  return { file, ...place, ...(row ? { row, ordinal: row.ordinal } : {}) }
}

/** Ends what is recorded for tests that have the same titles. */
export async function endRows(file: RunnerTestFile): Promise<void> {
  if (titlesShared(file).size > 0) file.meta.movedCassettes = await loadRows().settleRows(file)
}

/** The places of all tests of a file. */
export function placesOfFile(file: RunnerTestFile, root: string): TestPlace[] {
  const name = pathFrom(root, file.filepath)
  return Array.from(placesIn(file).values(), (place) => ({ file: name, ...place }))
}
