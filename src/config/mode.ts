/**
 * The treatment of a request:
 * - `replay`: answered from the cassette, or a miss
 * - `new`: answered from the cassette, recorded where that has no answer
 * - `all`: recorded afresh
 * - `prompts`: as `replay`, but a prompt that changed in place keeps its recorded answer
 * - `off`: sent as if this package were not there
 */
export type Mode = 'replay' | 'new' | 'all' | 'prompts' | 'off'

/** The modes under the names that caches use. */
export type CachingStrategy = 'read' | 'write' | 'both' | 'no'

/** The mode of each strategy. */
export const STRATEGY_MODES: Record<CachingStrategy, Mode> = {
  read: 'replay',
  write: 'all',
  both: 'new',
  no: 'off',
}

/** True for modes that send no request to a provider. */
export function sendsNothing(mode: Mode): boolean {
  return mode === 'replay' || mode === 'prompts'
}

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

/** The same command without recording. */
export function replaying(command: string): string {
  const prefix = [POSIX, POWERSHELL].find((start) => command.startsWith(start)) ?? ''
  return command.slice(prefix.length)
}

/** A word of a command line, quoted for a POSIX shell where that is needed. */
export function quoteWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
