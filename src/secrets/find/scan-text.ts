import { replaceSpans } from '../../json/text-span.ts'
import { findLikely, type SecretHit } from '../find-likely.ts'
import { bytesPrintedIn } from './byte-lists.ts'
import { encodedRuns, runsIn } from './encoded-runs.ts'
import { escapesIn } from './escapes.ts'
import { picturesWithTexts } from './picture-texts.ts'

/** Stands where a run is left out; a match that reaches over it is no credential. */
const BORDER = '\n\u0000\n'

/** A longer run of letters and digits is no credential, but a picture, speech or video. */
const MAX_RUN = 16_384

/** Looks for credentials in a text, as it stands. Of rules that find the same, or parts of it, the first counts. */
export function scanText(text: string): SecretHit[] {
  const hits = findLikely(withoutLongRuns(text))
    .filter(({ secret }) => !secret.includes(BORDER))
    .map((hit, rank) => ({ ...hit, rank }))
    .sort((one, other) => one.at - other.at)
  const found: typeof hits = []
  let end = -1
  for (const hit of hits) {
    const isSame = hit.at < end
    end = Math.max(isSame ? end : 0, hit.at + hit.secret.length)
    if (!isSame) found.push(hit)
    else if (hit.rank < found.at(-1)!.rank) found.splice(-1, 1, hit)
  }
  return found
}

/** Puts a border in place of the omitted rest, so that no match reaches over it. */
function withoutLongRuns(text: string): string {
  if (text.length <= MAX_RUN) return text
  let kept = ''
  let from = 0
  for (const [start, end] of runsIn(text, MAX_RUN)) {
    kept += text.slice(from, start + MAX_RUN / 2) + BORDER
    from = end
  }
  return kept + text.slice(from)
}

/** The most encodings inside of encodings: more are meant to hide something else. */
const MAX_DEPTH = 4

/** Anything shorter cannot be told from ordinary words. */
const MIN_LENGTH = 8

/**
 * All readings of a text: as it is, with all escapes undone, and the texts in its base64 and hexadecimal digits, the
 * metadata of pictures included. Each step reads the new results of the step before once, so that all readings together
 * are a few times as long as the text.
 */
export function readingsOf(text: string): string[] {
  if (text.length < MIN_LENGTH) return [text]
  const readings = new Set([text])
  let last = [text]
  for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
    const next = last.flatMap((reading) => [
      replaceSpans(reading, escapesIn(reading)),
      ...encodedRuns(reading).map(({ decoded }) => decoded),
      ...bytesPrintedIn(reading),
      ...picturesWithTexts(reading).map(({ texts }) => texts),
    ])
    last = [...new Set(next)].filter(
      (reading) => reading.length >= MIN_LENGTH && !readings.has(reading),
    )
    for (const reading of last) readings.add(reading)
  }
  return [...readings]
}
