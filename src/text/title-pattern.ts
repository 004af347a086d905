import { escapePattern } from './escape-pattern.ts'

/** Matches the separator between the titles of suite and test: ` > ` in Vitest 5, a space in Vitest 4. */
const BETWEEN_TITLES = '( >)? '

/** The pattern that chooses one test by its titles. */
export function titlePattern(
  titles: readonly string[],
  escape: (title: string) => string = escapeTitle,
): string {
  return `^${titles.map(escape).join(BETWEEN_TITLES)}$`
}

function escapeTitle(title: string): string {
  // A terminal would not pass control characters on unchanged, and those of direction would reverse the text.
  return escapePattern(title).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '[^]')
}
