import { quoteWord } from '../../config/quote-word.ts'
import { isJsonObject, tryParseJson, type JsonValue } from '../../json/json-value.ts'

/**
 * What to do with a file that cannot be read as a cassette and that this package did not record; `undefined` where it did:
 * then git has it as it was.
 *
 * @param shown what the user calls the file, where it lies among the cassettes
 */
export function adviseOnForeign(text: string, shown?: string): string | undefined {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  const command = shown && `:\n  npx vitest-cassette import ${quoteWord(shown)} --force`
  if (Array.isArray(value))
    return `It is a list, as the context of a conversation is. This makes a cassette of it${command ?? ''}`
  if (!isJsonObject(value) || wasRecorded(value)) return undefined
  // A cache of what an agent did holds no prompts, so that nothing could tell that one changed.
  if (Array.isArray(value.trajectory))
    return 'It holds the actions of an agent, and no prompt that a request could be compared with. Record the test once: RECORD=1 npx vitest'
  if (typeof value.version === 'string' && !value.version.startsWith('1.'))
    return 'Install a release that reads it, such as with: npm install -D vitest-cassette@latest'
  const correct = 'Correct that: docs/hand-written.md has every field.'
  const spelled =
    'What other programs spell in their own way, such as hashes and dates, this puts right'
  return command === undefined ? correct : `${correct} ${spelled}${command}`
}

/** Whether something in a file travelled. */
function wasRecorded({ file_hash: hash, exchanges }: { [name: string]: JsonValue }): boolean {
  if (hash !== undefined) return true
  return Array.isArray(exchanges) && exchanges.some((one) => isJsonObject(one) && one.wire)
}
