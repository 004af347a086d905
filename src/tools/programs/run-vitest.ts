import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { type StartedRun, startedBy } from '../../config/environment.ts'
import { readLines, type RunLine } from '../../attempt/run-channel.ts'
import { sumUp } from '../../attempt/spending.ts'
import { countOf } from '../../text/count-of.ts'
import { escapePattern } from '../../text/escape-pattern.ts'
import { wordsToLoadTests } from '../../runners/vitest-releases.ts'
import { checkVitestWords } from './check-vitest-words.ts'
import { type ListedTest, RunFolders } from './run-folders.ts'
import { TempFolder } from './temp-folder.ts'
import { untilClosed } from './until-closed.ts'
import type { Terminal } from '../terminal/command.ts'
import { invalidCommand, takesPath, textOption, type OptionValues } from '../terminal/options.ts'

export const CONFIG = takesPath(
  'file',
  'the config of Vitest, if Vitest does not find it by itself',
  'c',
)

/** The options of Vitest that an option of a command gives. */
export function configWords(values: OptionValues): string[] {
  const config = textOption(values, 'config')
  return config === undefined ? [] : ['--config', config]
}

/**
 * Runs the tests of a project in replay for a command, and shows how many are done.
 *
 * @param args options of Vitest
 * @returns what Vitest has printed, its exit code, and what the plugin has told the command
 * @throws CassetteError `invalid-command` where there is no Vitest.
 */
export async function replayTests(
  by: StartedRun['by'],
  args: readonly string[],
  { cwd, env, progress }: Terminal,
): Promise<{ output: string; exitCode: number | null; lines: RunLine[] }> {
  const vitest = findVitest(cwd)
  checkVitestWords(vitest, args)
  using folder = new TempFolder()
  // The reporters and the coverage of the config would write files, and `bail` would end the run at the first miss.
  const own = ['run', '--reporter=dot', '--coverage.enabled=false', '--bail=0']
  const child = spawn(process.execPath, [vitest, ...own, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, RECORD: '0', ...startedBy(by, folder.path) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const exitCode = await progress.during(ended, () => {
    const { tests } = sumUp(readLines(folder.path))
    return tests > 0 ? `${countOf(tests, 'test')} replayed` : 'Still running tests'
  })
  return { output, exitCode, lines: readLines(folder.path) }
}

/** What a command says if {@link listTests} lists nothing. */
export const COST_UNKNOWN = 'The cost is not known before the run: the tests could not be listed.'

/**
 * Lists the tests of a project, with the cassette folders of its projects, without running them; `undefined` if Vitest
 * cannot. Loads the test files, since titles can be computed.
 *
 * @param args options of Vitest
 * @throws CassetteError `invalid-command` where there is no Vitest.
 */
export async function listTests(
  args: readonly string[],
  terminal: Terminal,
): Promise<{ tests: ListedTest[]; folders: RunFolders } | undefined> {
  const listing = list([...wordsToLoadTests(vitestVersion(terminal.cwd)), ...args], terminal)
  const listed = await terminal.progress.during(listing, 'Listing tests')
  if (!listed) return undefined
  const tests = JSON.parse(listed.text) as ListedTest[]
  return { tests, folders: new RunFolders(listed.lines, terminal.cwd) }
}

/** What Vitest lists as JSON, and what the plugin tells meanwhile; `undefined` if Vitest cannot. */
async function list(
  args: readonly string[],
  { cwd, env }: Terminal,
): Promise<{ text: string; lines: RunLine[] } | undefined> {
  using folder = new TempFolder()
  const file = folder.file('tests.json')
  const child = spawn(process.execPath, [findVitest(cwd), 'list', `--json=${file}`, ...args], {
    cwd,
    stdio: 'ignore',
    env: { ...env, RECORD: '0', ...startedBy('record', folder.path) },
  })
  await new Promise((resolve) => child.on('close', resolve))
  if (!existsSync(file)) return undefined
  return { text: readFileSync(file, 'utf8'), lines: readLines(folder.path) }
}

/** The command by which a person lists the tests of a project as {@link listTests} does. */
export function listCommand(cwd: string): string {
  return ['vitest', 'list', ...wordsToLoadTests(vitestVersion(cwd))].join(' ')
}

export function vitestVersion(cwd: string): string {
  return (requireOfVitest(cwd)('vitest/package.json') as { version: string }).version
}

/**
 * Whether a project has the plugin; `undefined` if Vitest cannot start. Loads the config, and no test file: what these do
 * at their top can take minutes.
 *
 * @param args options of Vitest
 * @throws CassetteError `invalid-command` where there is no Vitest.
 */
export async function projectsHavePlugin(
  args: readonly string[],
  terminal: Terminal,
): Promise<boolean | undefined> {
  const listed = await list(['--filesOnly', ...args], terminal)
  return listed?.lines.some(({ kind }) => kind === 'project')
}

/**
 * Runs tests as the user would, and passes on the output of Vitest. Resolves to its exit code; `null` if a signal ended
 * it. Passes signals on to Vitest and waits for its end, so that it keeps the answers that were paid for.
 *
 * @param onStop called when a signal stops it, such as Ctrl-C
 */
export async function showVitest(
  { cwd, env, colors, write, warn }: Pick<Terminal, 'cwd' | 'env' | 'colors' | 'write' | 'warn'>,
  args: readonly string[],
  more: Record<string, string>,
  onStop: () => void = () => {},
): Promise<number | null> {
  const child = spawn(process.execPath, [findVitest(cwd), 'run', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...(colors.isColorSupported ? { FORCE_COLOR: '1' } : {}), ...more },
  })
  // The standard output of a reporter can be data.
  createInterface({ input: child.stdout }).on('line', (line) => write(`${line}\n`))
  createInterface({ input: child.stderr }).on('line', (line) => warn(line))
  const [code] = await untilClosed(child, onStop)
  return code
}

/**
 * The variables in the `.env` files of the working directory and of the root, read as Vite reads them, of every name. The
 * environment wins, then the root.
 */
export async function readEnvFiles(
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
  args: readonly string[],
): Promise<Record<string, string>> {
  const file = requireOfVitest(cwd).resolve('vite')
  const vite = (await import(pathToFileURL(file).href)) as typeof import('vitest/node').Vite
  const mode = optionAmong(args, '--mode') ?? 'test'
  const folders = new Set([cwd, resolve(cwd, rootAmong(args))])
  const read = [...folders].flatMap((folder) => Object.entries(vite.loadEnv(mode, folder, '')))
  return Object.fromEntries(read.filter(([name]) => !(name in env) && !(name in process.env)))
}

/** The file from which each of these variables comes: the first that wins over the others. */
export function envFilesOf(
  names: readonly string[],
  cwd: string,
  args: readonly string[],
): Record<string, string> {
  const mode = optionAmong(args, '--mode') ?? 'test'
  const files = [`.env.${mode}.local`, `.env.${mode}`, '.env.local', '.env']
  const texts = files.map((file) => {
    const path = join(cwd, file)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  })
  return Object.fromEntries(
    names.map((name) => {
      const sets = new RegExp(`^\\s*(?:export\\s+)?${escapePattern(name)}\\s*[=:]`, 'm')
      return [name, files[texts.findIndex((text) => sets.test(text))] ?? '.env']
    }),
  )
}

/**
 * The file name of the Vitest config, for people.
 *
 * @param args options of Vitest, which may name another config
 */
export function nameConfig(cwd: string, args: readonly string[]): string {
  const named = optionAmong(args, '--config', '-c')
  if (named !== undefined) return named
  const names = ['vitest', 'vite'].flatMap((name) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.config.${ending}`),
  )
  const files = names.map((name) => join(rootAmong(args), name))
  return files.find((file) => existsSync(resolve(cwd, file))) ?? 'your Vitest config'
}

/** The root of a project among the options of Vitest, relative to the working directory. */
function rootAmong(args: readonly string[]): string {
  return optionAmong(args, '--root', '-r') ?? ''
}

/** The value of an option among those of Vitest. */
function optionAmong(args: readonly string[], ...spellings: string[]): string | undefined {
  const at = args.findIndex((word) => spellings.includes(word.split('=')[0]!))
  return at < 0 ? undefined : (args[at]!.split('=')[1] ?? args[at + 1])
}

/**
 * The text of the Vitest config; empty if there is none.
 *
 * @param args options of Vitest, which may name another config
 */
export function readConfig(cwd: string, args: readonly string[]): string {
  const file = resolve(cwd, nameConfig(cwd, args))
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : ''
}

/**
 * Refuses words for Vitest that it would not understand, before anything runs.
 *
 * @param own the options of the command itself
 * @throws CassetteError `invalid-command`, also where there is no Vitest
 */
export function refuseWords(cwd: string, words: readonly string[], own: readonly string[]): void {
  checkVitestWords(findVitest(cwd), words, own)
}

/**
 * A `require` that resolves modules as Vitest itself does.
 *
 * @throws CassetteError `invalid-command` where there is no Vitest.
 */
export function requireOfVitest(cwd: string): NodeJS.Require {
  return createRequire(findVitest(cwd))
}

function findVitest(cwd: string): string {
  try {
    const { resolve } = createRequire(join(cwd, 'package.json'))
    return join(dirname(resolve('vitest/package.json')), 'vitest.mjs')
  } catch {
    throw invalidCommand(
      `Vitest is not installed for ${cwd}.\nRun this where the config of Vitest is.`,
    )
  }
}
