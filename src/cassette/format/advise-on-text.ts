import { quoteWord, RECORD_COMMAND } from '../../text/command-line.ts'
import { isJsonObject, type JsonValue, tryParseJson } from '../../json/json-value.ts'

const INSTEAD_OF_FOREIGN =
  'Or record the test in its place with RECORD=1, which keeps a copy of the old file.'

/**
 * What to do about a file that cannot be read; `undefined` where nothing but its earlier version helps.
 *
 * @param again how to record it again
 */
export function adviseOnText(text: string, shown: string, again: string): string | undefined {
  if (hasMarkers(text))
    return `To take one of the two recordings whole: npx vitest-cassette resolve. Or ${again}`
  if (hasTrailingCommas(text))
    return (
      'A formatter has put commas behind the last items of lists (trailingCommas). Restore the file from git, and ' +
      'let formatters ignore recordings with: npx vitest-cassette init'
    )
  const advice = adviseOnForeign(text, shown)
  return advice && `${advice}\n${INSTEAD_OF_FOREIGN}`
}

/** Whether a text would be JSON without them. */
function hasTrailingCommas(text: string): boolean {
  const strict = text.replace(/,(?=\s*[\]}])/g, '')
  return strict !== text && !tryParseJson(text) && tryParseJson(strict) !== undefined
}

/** Whether a text holds the markers of a merge conflict. */
export function hasMarkers(text: string): boolean {
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text)
}

/**
 * Advises on a file that is no readable cassette and that this package did not record. `undefined` for a recorded
 * file, whose earlier version is in git.
 *
 * @param shown the path of the file as the user types it, if the file lies among the cassettes
 */
export function adviseOnForeign(text: string, shown?: string): string | undefined {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  const command = shown && `:\n  npx vitest-cassette history import ${quoteWord(shown)} --force`
  if (Array.isArray(value))
    return `It is a list, as the context of a conversation is.${command ? ` To make a cassette of it${command}` : ''}`
  if (!isJsonObject(value) || wasRecorded(value)) return undefined
  // A cache of an agent's actions holds no prompts, so a changed prompt would go unnoticed.
  if (Array.isArray(value.trajectory))
    return `It holds the actions of an agent, and no prompt that a request could be compared with. Record the test once: ${RECORD_COMMAND}`
  if (typeof value.version === 'string' && parseInt(value.version) > 2)
    return 'Install a release that reads it, such as with: npm install -D vitest-cassette@latest'
  const correct = 'Correct that: docs/hand-written.md has every field.'
  const spelled =
    'This command corrects what other programs write in their own way, such as hashes and dates'
  return command === undefined ? correct : `${correct} ${spelled}${command}`
}

/** The way out for a file that is too large to be read. */
export const TOO_LARGE =
  'If the file is right, raise the option maxCassetteBytes. Otherwise delete it, and record the test again.'

/** The way out for a file whose content has not been downloaded. */
export const PULL =
  'Download it: git lfs pull. On CI, let the checkout do so (actions/checkout: lfs: true).'

/** Whether this package recorded a file: it has a seal, or an exchange with a request. */
function wasRecorded({ seal, exchanges }: { [name: string]: JsonValue }): boolean {
  if (seal !== undefined) return true
  return Array.isArray(exchanges) && exchanges.some((one) => isJsonObject(one) && one.request)
}
