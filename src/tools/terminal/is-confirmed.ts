import type { Terminal } from './command.ts'
import type { OptionValues } from './options.ts'

const DONE = { Delete: 'deleted', Write: 'written' }

/** Asks before a command changes files, unless `--yes` answers already. Says so if nothing is changed. */
export async function isConfirmed(
  verb: keyof typeof DONE,
  what: string,
  values: OptionValues,
  terminal: Terminal,
): Promise<boolean> {
  if (values.yes === true || (await terminal.confirm?.(`${verb} ${what}?`))) return true
  const wayOut = terminal.confirm ? '' : ` To ${verb.toLowerCase()}: --yes`
  terminal.warn(`Nothing was ${DONE[verb]}.${wayOut}`)
  return false
}
