import { encodedRuns } from './encoded-runs.ts'
import { picturesIn } from './pictures/picture-texts.ts'
import { undoEscapes } from './undo-escapes.ts'

/** The most encodings inside of encodings: more are meant to hide something else. */
const MAX_DEPTH = 4

/** Anything shorter cannot be told from ordinary words. */
const MIN_LENGTH = 8

/**
 * All readings of a text: as it is, with all escapes undone, and the texts in its base64 and hexadecimal digits, the
 * metadata of pictures included. Each
 * step reads the new results of the step before once, so that all readings together are a few times as long as the
 * text.
 */
export function readingsOf(text: string): string[] {
  if (text.length < MIN_LENGTH) return [text]
  const readings = new Set([text])
  let last = [text]
  for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
    const next = last.flatMap((reading) => [
      undoEscapes(reading),
      ...encodedRuns(reading).map(({ decoded }) => decoded),
      ...picturesIn(reading).map(({ texts }) => texts),
    ])
    last = [...new Set(next)].filter(
      (reading) => reading.length >= MIN_LENGTH && !readings.has(reading),
    )
    for (const reading of last) readings.add(reading)
  }
  return [...readings]
}
