const POSIX = 'RECORD=1 '
const POWERSHELL = '$env:RECORD=1; '

/** The command that records: with `RECORD=1` in front, as the shell of the system sets a variable. */
export function recording(command: string, platform: NodeJS.Platform = process.platform): string {
  return (platform === 'win32' ? POWERSHELL : POSIX) + command
}

/** The same command in another mode of recording. `vitest-cassette record` takes the mode as an option. */
export function inMode(command: string, mode: 'new' | 'prompts'): string {
  const prefix = [POSIX, POWERSHELL].find((start) => command.startsWith(start))
  if (prefix === undefined) return `${command} --${mode}`
  return prefix.replace('1', mode) + command.slice(prefix.length)
}

/** A word of a command line, quoted for a POSIX shell where that is needed. */
export function quoteWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
