import { isRecorded } from '../../cassette/cassette.ts'
import { printCassette } from '../../cassette/format.ts'
import { writeOut } from '../../text/printable.ts'
import { unseenIn } from '../../text/unseen.ts'
import { jsonTokens } from '../../json/json-tokens.ts'
import { RESTORE, type CassetteCheck, type Remark } from './check.ts'

/**
 * Every cassette is printed in one way. A field that occurs twice, which JSON allows, shows a reviewer content that is
 * not replayed; so does an invisible character.
 */
export const form: CassetteCheck = {
  name: 'form',
  find({ text, stored, cassette }) {
    const unix = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
    const printed = printCassette(stored)
    if (!cassette.exchanges.every(isRecorded)) return findInWritten(unix, printed)
    if (unix !== printed) {
      const line = firstDifference(unix, printed)
      return [{ line, problem: `${describe(unix.split('\n')[line - 1] ?? '')} ${RESTORE}` }]
    }
    if (text === printed) return []
    const what = text.startsWith('\uFEFF')
      ? 'It begins with a byte order mark'
      : 'Its lines end in CRLF'
    const problem = `${what}, which changes no hash. Let git keep the file as it is with: vitest-cassette init`
    return [{ severity: 'warning', problem }]
  },
}

/** The layout of a hand-written file is free, but invisible characters and duplicate fields are findings. */
function findInWritten(text: string, printed: string): Remark[] {
  if (withoutLayout(text) === withoutLayout(printed)) return []
  const problem = 'It names a field twice, or spells a character as an escape that needs none.'
  return [firstUnseen(text) ?? { problem }]
}

/** The remark about the first line with an invisible character; `undefined` where there is none. */
function firstUnseen(text: string): Remark | undefined {
  const lines = text.split('\n')
  const index = lines.findIndex((line) => unseenIn(line).length > 0)
  return index < 0 ? undefined : { line: index + 1, problem: describe(lines[index]!) }
}

/** JSON without the white space between its tokens. */
function withoutLayout(json: string): string {
  return Array.from(jsonTokens(json), ({ token }) => token).join('')
}

function describe(line: string): string {
  const unseen = [...new Set(unseenIn(line))].map(writeOut)
  if (unseen.length > 0) return `The line holds invisible characters: ${unseen.join(', ')}.`
  return 'From this line on, the file is not printed as vitest-cassette prints it: it was edited, formatted, or names a field twice.'
}

/** The first line, counted from 1, in which two texts differ. */
function firstDifference(one: string, other: string): number {
  const others = other.split('\n')
  return one.split('\n').findIndex((line, index) => line !== others[index]) + 1 || others.length
}
