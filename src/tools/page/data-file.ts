/** The function of the page that data files call. A page opened from disk can load scripts, and nothing else. */
const RECEIVER = 'receiveReport'

/** The kind of data in a file, by which the page chooses its receiver. */
type DataKind = 'index' | 'cassette' | 'streams' | 'failure' | 'rehearsal' | 'texts'

/** Characters that could end a script or a line of it. */
const DANGEROUS = /[<>\u2028\u2029]/g

/** Writes data as a script that hands it to the page, with characters escaped that could end the script. */
export function writeDataFile(kind: DataKind, value: unknown): string {
  const json = JSON.stringify(value).replace(DANGEROUS, escapeCharacter)
  return `${RECEIVER}(${JSON.stringify(kind)},${json})\n`
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
