/** Characters that take no column of their own. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Characters that take two columns in a terminal. */
const DOUBLE_WIDTH =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u

/**
 * The columns that a text without line breaks takes in a terminal. `fast-string-width` counts a column for invisible
 * characters, such as those with which our output breaks commands of a CI runner.
 */
export function visibleWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** The columns of one character. */
function characterWidth(character: string): number {
  if (character < '\u007f') return 1
  if (DOUBLE_WIDTH.test(character)) return 2
  return ZERO_WIDTH.test(character) ? 0 : 1
}
