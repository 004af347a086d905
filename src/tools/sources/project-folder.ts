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
  const named = Object.entries(command.options).flatMap(([name, { path, multiple, alone }]) => {
    const paths = path
      ? textOptions(values, name).map((text) => (text === alone ? text : there(text)))
      : []
    return paths.length > 0 ? [[name, multiple ? paths : paths[0]] as const] : []
  })
  warn(colors.dim(`In ${pathFrom(cwd, root)}, the project of this folder: paths begin there.`))
  terminal.enter?.(root)
  return {
    words: words.map((word, index) => relocate(word, words[index - 1], cwd, there)),
    values: { ...values, ...Object.fromEntries(named) },
    terminal: { ...terminal, cwd: root },
  }
}

/** Whether a command works where it is typed: it starts a program, is told a folder, or is called by git. */
function worksHere({ name, isHere }: Command, { dir, store, textconv }: OptionValues): boolean {
  const isTold = dir !== undefined || (store !== undefined && name !== 'history export')
  return isHere === true || isTold || textconv !== undefined
}

/** The options of Vitest that name a file or folder. */
const VITEST_PATHS = /^(?:-c|-r|--(?:config|root|dir|outputFile|output-file)(?:\..+)?)$/

/** The options of Vitest whose value is no path, even where a file has its name. */
const VITEST_TEXTS = /^(?:-t|--testNamePattern|--test-name-pattern|--project)$/

/** A word of a command line as it reads from the folder of the project. */
function relocate(
  word: string,
  before: string | undefined,
  cwd: string,
  there: (path: string) => string,
): string {
  const [option, ...value] = word.split('=')
  if (word.startsWith('-'))
    return value.length > 0 && VITEST_PATHS.test(option!)
      ? `${option}=${there(value.join('='))}`
      : word
  if (before !== undefined && VITEST_TEXTS.test(before)) return word
  const isNamed = before !== undefined && VITEST_PATHS.test(before)
  return isNamed || isPath(word, cwd) ? there(word) : word
}

/** A file need not exist to be meant: the new place of a cassette begins with `./` or `../`. */
function isPath(word: string, cwd: string): boolean {
  // Vitest takes `a.test.ts:12`.
  return /^\.\.?(?:\/|$)/.test(word) || existsSync(resolve(cwd, word.replace(/:\d+$/, '')))
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
