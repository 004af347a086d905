import type { RunnerTestFile } from 'vitest'
import { sameTitles } from '../../../cassette/test-place.ts'
import { rememberFor } from '../../../remember.ts'
import { placesIn } from './titles.ts'

/** The titles that several tests of a file have, as {@link sameTitles} spells them. */
export const titlesShared: (file: RunnerTestFile) => ReadonlySet<string> = rememberFor((file) => {
  const later = [...placesIn(file).values()].filter(({ ordinal }) => ordinal > 0)
  return new Set(later.map(({ titles }) => sameTitles(titles)))
})
