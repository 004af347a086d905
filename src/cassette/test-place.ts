/** The place of a test: enough to find its cassette on every machine. */
export interface TestPlace {
  /** Relative to the root of the project, with forward slashes. */
  file: string
  /** Titles of the suites and of the test itself, outermost first; empty for the file itself. */
  titles: string[]
  /** Counts up from 0 among tests of one file that have the same titles. */
  ordinal: number
  /** The number of the repeat of the test, from 2 on. All of them share one cassette. */
  sample?: number | undefined
}

/** Titles as they are compared: those that read the same are the same, however their letters are composed. */
export function sameTitles(titles: readonly string[]): string {
  return JSON.stringify(titles).normalize('NFC')
}

/** The folder of all cassettes of a test file, below the cassette folder. */
export function folderOfFile(file: string): string {
  return file.normalize('NFC').split('/').map(safeSegment).join('/')
}

/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * Spells a path segment so that every system allows it, and so that the cassettes of a test file outside the root
 * stay inside the cassette folder.
 */
function safeSegment(segment: string): string {
  if (/^\.*$/.test(segment)) return '_'
  // To compile a pattern of Unicode takes longer than a small test.
  const isPlain = /^[\x20-\x7e]*$/.test(segment)
  const safe = segment
    .replace(isPlain ? /[\\:*?"<>|]/g : /[\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '_')
    // Windows drops trailing dots and spaces.
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
  return DEVICE.test(safe) ? `_${safe}` : safe
}

/** Adds the ordinals to the places of all tests, in their order. */
export function withOrdinals<Place extends { file?: string; titles: string[] }>(
  places: readonly Place[],
): Array<Place & { ordinal: number }> {
  const counts = new Map<string, number>()
  return places.map((place) => {
    const key = sameTitles([place.file ?? '', ...place.titles])
    const ordinal = counts.get(key) ?? 0
    counts.set(key, ordinal + 1)
    return { ...place, ordinal }
  })
}
