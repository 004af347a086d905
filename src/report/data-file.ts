/** What data files call; the page defines it. A page that is opened from a disk can load scripts, and nothing else. */
const RECEIVER = 'receiveReport'

/** A kind of data, which says who takes it. */
export type DataKind = 'index' | 'cassette' | 'streams' | 'failure' | 'rehearsal' | 'texts'

/** Characters that could end a script or a line of it. */
const DANGEROUS = /[<>\u2028\u2029]/g

/** Data as a script that hands it to the page; nothing in it ends the script. */
export function writeDataFile(kind: DataKind, value: unknown): string {
  const json = JSON.stringify(value).replace(DANGEROUS, escapeCharacter)
  return `${RECEIVER}(${JSON.stringify(kind)},${json})\n`
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
