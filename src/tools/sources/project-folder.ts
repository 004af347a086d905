import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CASSETTE_FOLDER, CONFIG_FILE, pathFrom } from '../../config/paths.ts'
import { foldersUp } from '../../real/folders-up.ts'
import type { Command, Terminal } from '../terminal/command.ts'
import { type OptionValues, textOptions } from '../terminal/options.ts'
import { findFolders, hasCassettes, namesIn } from './find-folders.ts'

/** A command line as its command gets it. */
interface CommandLine {
  words: string[]
  values: OptionValues
  terminal: Terminal
}

/** The options that name a file or folder. */
const PATHS = ['store', 'out', 'output', 'config', 'prices', 'history', 'report']

/** What stands behind these options of Vitest is no path, even where one has its name. */
const NO_PATH = new Set(['-t', '--testNamePattern', '--test-name-pattern', '--project'])

/**
 * The command line as if it had been typed in the folder of the project, with all paths that it names: commands find the
 * recordings from every folder of the project. Says where it works if that is another folder.
 */
export function inProject(command: Command, line: CommandLine): CommandLine {
  const { words, values, terminal } = line
  const { cwd, warn, colors } = terminal
  const root = worksHere(command, values) ? cwd : projectOf(cwd)
  if (root === cwd) return line
  const there = (path: string): string => pathFrom(root, resolve(cwd, path))
  const named = PATHS.flatMap((name) => {
    const value = values[name]
    if (typeof value !== 'string' && !Array.isArray(value)) return []
    const paths = textOptions(values, name).map(there)
    return [[name, Array.isArray(value) ? paths : paths[0]] as const]
  })
  warn(colors.dim(`In ${pathFrom(cwd, root)}, the project of this folder: paths begin there.`))
  terminal.enter?.(root)
  return {
    words: words.map((word, index) => (isPath(word, words[index - 1], cwd) ? there(word) : word)),
    values: { ...values, ...Object.fromEntries(named) },
    terminal: { ...terminal, cwd: root },
  }
}

/** Whether a command works where it is typed: it starts a program, is told a folder, or is called by git. */
function worksHere({ name, isHere }: Command, { dir, store, textconv }: OptionValues): boolean {
  const isTold = dir !== undefined || (store !== undefined && name !== 'history export')
  return isHere === true || isTold || textconv !== undefined
}

function isPath(word: string, before: string | undefined, cwd: string): boolean {
  if (word.startsWith('-') || NO_PATH.has(before ?? '')) return false
  // Vitest takes `a.test.ts:12`.
  return existsSync(resolve(cwd, word.replace(/:\d+$/, '')))
}

/**
 * The folder of the project: this one if it has recordings, here or below, or else the nearest from here upwards that
 * has recordings, a config of Vitest or a package.json; this one if there is none up to the root of the repository.
 */
function projectOf(cwd: string): string {
  const above = foldersUp(cwd)
  if (isProject(cwd) || above.length === 1) return cwd
  // A run that was started in the wrong folder leaves its cache there, and no recordings.
  const isUsed = findFolders(cwd, CASSETTE_FOLDER).some((folder) => existsSync(folder))
  return isUsed ? cwd : (above.find(isProject) ?? cwd)
}

function isProject(folder: string): boolean {
  return (
    hasCassettes(folder) ||
    namesIn(folder).some((name) => name === 'package.json' || CONFIG_FILE.test(name))
  )
}
