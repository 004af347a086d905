import { writeUnseen } from './unseen.ts'

/** Opens a workflow command of GitHub (`::error::` at the start of a line). */
const COLON_COMMAND = /^([^\S\n\r\u2028\u2029]*:)(?=:)/gm

/** Opens a command of GitHub, Azure DevOps or TeamCity anywhere: `##[`, `##vso[`, `##teamcity[`. */
const HASH_COMMAND = /#(?=#\w*\[)/g

// oxlint-disable-next-line no-control-regex -- what a terminal obeys
const COLORS_AND_TABS = /((?:\u001b\[[\d;]*m|\t)+)/

/** An invisible character: a reader sees the text as it was sent, but a CI runner no longer sees a command. */
const BREAK = '\u200b'

/** The commands that were broken already. */
const BROKEN = /(^\s*:)\u200b(?=:)|(#)\u200b(?=#\w*\[)/gm

/** A text in invisible tag characters, which is written out in readable letters. */
const TAGS = /^[\u{e0020}-\u{e007e}]{2,}$/u

/**
 * Makes a text harmless for a terminal and a CI runner, and hides nothing: invisible characters are written out, and
 * an invisible character breaks commands. Line breaks stay. Safe to apply twice.
 */
export function printable(text: string): string {
  return breakCommands(writeOutUnseen(text.replace(BROKEN, '$1$2')))
}

/** A text as one harmless line. */
export function layOutLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n')
}

/** The beginning of a text, in quotes. */
export function quoteStart(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
}

/** Like {@link printable}, for a text that is painted already: its colours and tabs stay. */
export function disarm(text: string): string {
  const parts = text.replace(BROKEN, '$1$2').split(COLORS_AND_TABS)
  return breakCommands(parts.map((part, at) => (at % 2 ? part : writeOutUnseen(part))).join(''))
}

/** Breaks the commands in a text that a CI runner would obey. */
export function breakCommands(text: string): string {
  return text.replace(COLON_COMMAND, `$1${BREAK}`).replace(HASH_COMMAND, `#${BREAK}`)
}

/** Writes out the invisible characters of a text: `\t`, `\r`, `<U+001B>`, `<tags:Ignore the tests>`. */
export function writeOutUnseen(text: string): string {
  return writeUnseen(text, writeOut)
}

/** The visible form of an invisible character, or of a run of tags. */
export function writeOut(unseen: string): string {
  if (unseen === '\t') return '\\t'
  if (unseen === '\r') return '\\r'
  if (unseen === '\n') return '\\n'
  if (TAGS.test(unseen)) return `<tags:${[...unseen].map(letterOf).join('')}>`
  return `<U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`
}

function letterOf(tag: string): string {
  return String.fromCodePoint(tag.codePointAt(0)! - 0xe0000)
}
