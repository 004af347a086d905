import { RECORD_COMMAND } from '../../text/command-line.ts'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { TestFiles } from '../../cassette/orphans.ts'
import { findSymlink } from '../../cassette/paths.ts'
import { CassetteStore } from '../../cassette/store.ts'
import { CASSETTE_FOLDER, CONFIG_FILE, pathFrom } from '../../config/paths.ts'
import type { CassetteError } from '../../errors.ts'
import { findFolders, namesIn, nearestAbove } from './find-folders.ts'
import type { Terminal } from '../terminal/command.ts'
import {
  invalidCommand,
  type OptionValues,
  takesText,
  takesPath,
  takesPaths,
  textOptions,
} from '../terminal/options.ts'

/** A cassette folder of one of the projects below the working directory. */
export interface CassetteFolder {
  /** Names its cassettes by their paths from the working directory. */
  store: CassetteStore
  /** The absolute root of its project. Test files and files kept outside of git are relative to it. */
  root: string
  /** The name of its project, if the root of the project is not the working directory. */
  project?: string
}

/** Commands do not know the option `maxCassetteBytes` of a config, which can be above its default. */
export const MAX_BYTES: number = 256 * 1024 * 1024

/** The option `--dir`, which can be given several times. */
export const DIR_OPTION = {
  dir: takesPaths(
    'folder',
    'a folder of cassettes, as often as you like (default: every __recordings__ below this folder)',
  ),
}

/**
 * The cassette folders that the options name, or all that are found, or else the default folder here.
 *
 * @throws CassetteError `invalid-command` where there are none but in a folder above: then they are meant, most likely.
 */
export function openFolders(values: OptionValues, terminal: Terminal): CassetteFolder[] {
  const folders = foldersOf(values, terminal)
  if (folders.length > 0) return folders
  if (nearestAbove(terminal.cwd) !== undefined) throw noCassette(values, terminal)
  return [folderAt(join(terminal.cwd, CASSETTE_FOLDER), terminal)]
}

/** The cassette folders that the options name, or all that are found. */
export function foldersOf(values: OptionValues, terminal: Terminal): CassetteFolder[] {
  const named = textOptions(values, 'dir').map((name) => resolve(terminal.cwd, name))
  const found = named.length > 0 ? named : findFolders(terminal.cwd, CASSETTE_FOLDER)
  return [...new Set(found)].map((folder) => folderAt(folder, terminal))
}

function folderAt(folder: string, { cwd }: Terminal): CassetteFolder {
  const store = new CassetteStore(cwd, relative(cwd, folder) || '.', MAX_BYTES)
  const root = rootOf(folder, cwd, store)
  return { store, root, project: root === cwd ? undefined : nameOf(root, cwd) }
}

/** The error for folders without cassettes. */
export function noCassette(values: OptionValues, { cwd }: Terminal): CassetteError {
  const named = textOptions(values, 'dir')
  const place = named.length > 0 ? named.join(', ') : `${CASSETTE_FOLDER}, here or below`
  const nearest = named.length > 0 ? undefined : nearestAbove(cwd)
  const wayOut =
    nearest === undefined
      ? 'Name the folder with --dir'
      : `The nearest are in ${nearest}: go there with cd ${dirname(nearest)}, or name the folder with --dir`
  return invalidCommand(
    `There is no cassette in ${place}.\n${wayOut}, or record one with: ${RECORD_COMMAND}`,
  )
}

/** The nearest folder above, in the same package, that holds a test file of the cassettes; else the top one. */
function rootOf(folder: string, cwd: string, store: CassetteStore): string {
  const above = foldersBetween(dirname(folder), cwd)
  const cassettes = store.list()
  const hasTests = (root: string): boolean => {
    const files = new TestFiles(root)
    return cassettes.some((path) => files.has(path))
  }
  const isRoot = (root: string): boolean =>
    namesIn(root).some((name) => name === 'package.json' || CONFIG_FILE.test(name))
  const end = above.findIndex(isRoot)
  const inPackage = end < 0 ? above : above.slice(0, end + 1)
  return inPackage.find(hasTests) ?? inPackage.at(-1)!
}

/** A folder and those above it, up to the working directory. Behind a symlink, the working directory alone. */
function foldersBetween(folder: string, cwd: string): string[] {
  const path = relative(cwd, folder)
  if (path === '' || findSymlink(cwd, folder)) return [cwd]
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersBetween(parent, cwd)]
}

/** The name that Vitest gives to a project without one of its own. */
function nameOf(root: string, cwd: string): string {
  try {
    const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      name?: unknown
    }
    if (typeof name === 'string' && name) return name
  } catch {
    // A project needs no package of its own.
  }
  return pathFrom(cwd, root)
}

/** The options that name cassettes or stored conversations. */
export const SOURCE_OPTIONS = {
  ...DIR_OPTION,
  store: takesPath('folder', 'a folder of stored conversations, in the place of cassettes'),
  workspace: takesText(
    'the working directory of the conversations, or its name in `history workspaces` (default: this one)',
  ),
}
