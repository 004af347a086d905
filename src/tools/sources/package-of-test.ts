import { existsSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { CASSETTE_FOLDER, CONFIG_FILE, pathFrom } from '../../config/paths.ts'
import { folderOfFile } from '../../cassette/test-place.ts'
import type { Terminal } from '../terminal/command.ts'
import { namesIn } from './cassette-folders.ts'
import { textOption, type OptionValues } from '../terminal/options.ts'

/**
 * The options with the test of `--test` as its package names it, and with the cassette folder of that package. They
 * keep the folder that they name, or the one here if the test is in no package.
 */
export function inPackageOfTest(values: OptionValues, { cwd }: Terminal): OptionValues {
  const test = textOption(values, 'test')
  if (test === undefined) return values
  const [named = '', ...titles] = test.split(' > ')
  const file = pathFrom(cwd, resolve(cwd, named))
  const folder = values.dir === undefined ? packageOf(file, cwd) : undefined
  const own = folder === undefined ? file : posix.relative(folder, file)
  return {
    ...values,
    test: [own, ...titles].join(' > '),
    ...(folder === undefined ? {} : { dir: [join(folder, CASSETTE_FOLDER)] }),
  }
}

/** The nearest folder of a test file, below the working directory, that has cassettes or a config of its own. */
function packageOf(file: string, cwd: string): string | undefined {
  const folders = foldersAbove(file)
  const found =
    folders.find((one) => existsSync(join(cwd, one, CASSETTE_FOLDER))) ??
    folders.find((one) => namesIn(join(cwd, one)).some((name) => CONFIG_FILE.test(name)))
  // Cassettes of its tests in the folder here show that they run from here.
  const isRunHere = found && existsSync(join(cwd, CASSETTE_FOLDER, folderOfFile(found)))
  return isRunHere ? undefined : found
}

/** The folders above a relative path, the nearest first, without the one that it starts from. */
function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' || folder.startsWith('..') ? [] : [folder, ...foldersAbove(folder)]
}
