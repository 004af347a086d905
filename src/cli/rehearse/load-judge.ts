import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { UserJudge } from '../../rehearse/judge.ts'
import type { Terminal } from '../terminal/command.ts'
import { invalidCommand, textOf, type OptionValues } from '../terminal/options.ts'

/**
 * Loads the function that `--judge` names.
 *
 * @throws CassetteError `invalid-command` if the file cannot be loaded, or has no such function.
 */
export async function loadJudge(
  values: OptionValues,
  { cwd }: Terminal,
): Promise<UserJudge | undefined> {
  const name = textOf(values, 'judge')
  if (name === undefined) return undefined
  let loaded: { default?: unknown }
  try {
    loaded = (await import(pathToFileURL(resolve(cwd, name)).href)) as { default?: unknown }
  } catch (error) {
    throw invalidCommand(`${name} cannot be loaded: ${(error as Error).message}`, { cause: error })
  }
  if (typeof loaded.default === 'function') return loaded.default as UserJudge
  throw invalidCommand(
    `${name} has no function as its default export. Write: export default ({ before, now }) => now.text.includes('Paris')`,
  )
}
