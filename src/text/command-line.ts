/** Records in Vitest, in every shell. It takes the files and options of `vitest run`, and a mode as an option. */
export const RECORD_COMMAND = 'npx vitest-cassette record'

/** How the command of another program begins and ends that sets the variable, in the shells of each system. */
const SHELLS = [
  ['RECORD=1 ', ''],
  // It ends what it begins: PowerShell sets no variable for one command.
  ['$env:RECORD=1; ', "; $env:RECORD=''"],
] as const

/** The command by which a program records that is not Vitest. */
export function recording(command: string, platform: NodeJS.Platform = process.platform): string {
  const [start, end] = SHELLS[platform === 'win32' ? 1 : 0]
  return start + command + end
}

/** The same command in another mode of recording. */
export function inMode(command: string, mode: 'new' | 'prompts'): string {
  const start = SHELLS.map(([start]) => start).find((one) => command.startsWith(one))
  if (start === undefined) return command.replace(RECORD_COMMAND, `$& --${mode}`)
  return start.replace('1', mode) + command.slice(start.length)
}

/** The command of a program, which replays, of the one by which it records. */
export function replaying(command: string): string {
  const shell = SHELLS.find(([start, end]) => command.startsWith(start) && command.endsWith(end))
  return shell ? command.slice(shell[0].length, command.length - shell[1].length) : command
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
