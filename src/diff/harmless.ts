/** Control characters, bidi marks and overrides, line separators, halves of surrogate pairs. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu

/** Opens a workflow command of GitHub (`::error::` at the start of a line). */
const COLON_COMMAND = /^([^\S\n\r\u2028\u2029]*:)(?=:)/gm

/** Opens a command of GitHub, Azure DevOps or TeamCity anywhere: `##[`, `##vso[`, `##teamcity[`. */
const HASH_COMMAND = /#(?=#\w*\[)/g

// oxlint-disable-next-line no-control-regex -- what a terminal obeys
const COLORS_AND_TABS = /((?:\u001b\[[\d;]*m|\t)+)/

/** Reads as nothing, so that the reader sees what was sent; a CI runner no longer sees a command. */
const BREAK = '\u200b'

/**
 * The text with everything inert that a terminal or a CI runner would obey: control characters are
 * written out, commands broken by an invisible character. Line breaks stay. Safe to apply twice.
 */
export function harmless(text: string): string {
  return breakCommands(writeOutControls(text))
}

/** Like {@link harmless}, for a text that is painted already: its colours and tabs stay. */
export function disarm(text: string): string {
  const parts = text.split(COLORS_AND_TABS)
  return breakCommands(parts.map((part, at) => (at % 2 ? part : writeOutControls(part))).join(''))
}

function breakCommands(text: string): string {
  return text.replace(COLON_COMMAND, `$1${BREAK}`).replace(HASH_COMMAND, `#${BREAK}`)
}

/** The text with control characters written out: `\t`, `\r`, `<U+001B>`. */
export function writeOutControls(text: string): string {
  return text.replace(CONTROLS, writeOut)
}

/** A character as a reader can name it. */
export function writeOut(character: string): string {
  if (character === '\t') return '\\t'
  if (character === '\r') return '\\r'
  if (character === '\n') return '\\n'
  return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`
}
