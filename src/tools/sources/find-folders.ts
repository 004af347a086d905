import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE_FOLDER, CASSETTE_FOLDER, pathFrom } from '../../config/paths.ts'
import { foldersUp } from '../../real/folders-up.ts'

/** The folders that hold cassettes, or whose project holds answers that a run left and that are in no cassette yet. */
export function findFolders(folder: string, dir: string): string[] {
  const entries = readFolder(folder)
  const isUsed =
    entries.includes(dir) ||
    (entries.includes('node_modules') && existsSync(join(folder, CACHE_FOLDER)))
  return [
    ...(isUsed ? [join(folder, dir)] : []),
    ...entries
      .filter((name) => name !== dir && name !== 'node_modules' && !name.startsWith('.'))
      .flatMap((name) => findFolders(join(folder, name), dir)),
  ]
}

/** The names of the folders in a folder, sorted; links are not followed. */
function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

/** Whether a folder has recordings in the default folder. */
export function hasCassettes(folder: string): boolean {
  const found = statSync(join(folder, CASSETTE_FOLDER), { throwIfNoEntry: false })
  return found?.isDirectory() === true
}

/** The nearest folder of cassettes above a folder that has none, as a person types it; `undefined` where there is none. */
export function nearestAbove(cwd: string): string | undefined {
  const found = foldersUp(cwd).slice(1).find(hasCassettes)
  return found && pathFrom(cwd, join(found, CASSETTE_FOLDER))
}

/** The names in a folder; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
