/** A word of a command line, quoted for a POSIX shell where that is needed. */
export function quoteWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
