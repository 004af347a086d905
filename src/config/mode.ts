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
/** Ends what it begins with: there, the variable would stay. */
const RESET = "; $env:RECORD=''"

/** What `vitest-cassette record` runs, which sets the variable itself. */
const VITEST = /^npx vitest( run)?(?![\w-])/

/**
 * The command that records: with `RECORD=1` in front, where the shell of the system sets a variable for one command.
 * PowerShell and cmd have none, so Vitest is run by `vitest-cassette record`. Others get a command for PowerShell, where
 * the variable would stay.
 */
export function recording(command: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return POSIX + command
  return VITEST.test(command)
    ? command.replace(VITEST, 'npx vitest-cassette record')
    : `${POWERSHELL}${command}${RESET}`
}

/** The same command in another mode of recording. `vitest-cassette record` takes the mode as an option. */
export function inMode(command: string, mode: 'new' | 'prompts'): string {
  const prefix = [POSIX, POWERSHELL].find((start) => command.startsWith(start))
  if (prefix === undefined) return `${command} --${mode}`
  return prefix.replace('1', mode) + command.slice(prefix.length)
}

/**
 * A word of a command line, quoted where the shell of the system needs that. cmd knows `"` alone, within which PowerShell
 * replaces some characters.
 */
export function quoteWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./@-]+$/.test(text)) return text
  if (platform !== 'win32') return `'${text.replaceAll("'", String.raw`'\''`)}'`
  return /["$`%]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`
}
