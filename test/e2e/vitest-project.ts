import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CassetteStore } from '../../src/cassette/store.ts'
import type { ErrorCode } from '../../src/errors.ts'
import { type Finding, verify } from '../../src/tools/verify/verify-cassettes.ts'
import { workspace } from './install-package.ts'

const projects = fileURLToPath(new URL('../projects/', import.meta.url))
const own = fileURLToPath(new URL('../../node_modules/vitest', import.meta.url))

/** The Vitest of this repository, or another release on which all projects are tried. */
const usual = process.env.CASSETTE_VITEST ?? own

/** What makes each `fetch` of a process go over a socket. */
export const BY_SOCKET = {
  NODE_OPTIONS: `--import ${new URL('by-socket.mjs', import.meta.url)}`,
}

/** Environment variables; `undefined` unsets one. */
type Environment = Record<string, string | undefined>

/** How a run ended and what it printed. */
export interface Run {
  exitCode: number
  /** Standard output and standard error as they came. */
  output: string
}

/** A run, and the outcome of each of its tests as the reporter of JSON gives it. */
export interface TestsRun extends Run {
  tests: Array<{ file: string; title: string; status: string; failureMessages: string[] }>
}

/** A failure as programs are told of it. */
export interface Failure {
  /** Its file and its titles, with ` > ` between them. */
  test?: string
  code: ErrorCode
  kind?: string
  headline?: string
  missed?: Array<{ url: string; changes?: Array<{ place: string }> }>
}

/** What a run prints for a failed test, up to the first line of its stack, or to the next test. */
export function failureIn({ output }: Run, test: string): string {
  const [, failure] = output.split(` FAIL  ${test}`)
  if (failure === undefined) throw new Error(`${test} did not fail:\n${output}`)
  return failure.split(/ ❯ |^⎯/m)[0]!
}

/** The messages of the errors of this package that a run of any runner prints, sorted. */
export function errorsIn({ output }: Run): string[] {
  const [, ...printed] = output.split(/^ *(?:Caused by: )?CassetteError: /m)
  const [, indent = ''] = /^( *)CassetteError: /m.exec(output) ?? []
  if (printed.length === 0) throw new Error(`No error of this package:\n${output}`)
  return printed
    .map((text) => text.split(/^(?: *>? *\d+ \|| +at | ❯ |⎯|Failed worker )/m)[0]!)
    .map((text) => text.replaceAll(`\n${indent}`, '\n').trim())
    .toSorted()
}

/** What the summary of a run tells under a label. */
export function partOf(output: string, label: string): string {
  return new RegExp(`^ *${label} {2}[^]*?\n\n`, 'm').exec(output)?.[0] ?? ''
}

/** What a run prints for people: the line for programs has all failures once more. */
export function toldPeople({ output }: Run): string {
  return output.replaceAll(/^\[vitest-cassette\] \{.*$/gm, '')
}

/** A run in watch mode. */
export interface Watching {
  /** What it printed since it started, or since this was emptied. */
  output: string
  stop(): Promise<void>
}

/** The file of the command in the package that is built. */
export function builtCli(): string {
  return join(workspace(), 'node_modules/vitest-cassette/dist/cli.mjs')
}

/** A copy of a project, on which Vitest really runs. */
export class VitestProject {
  readonly dir: string
  readonly #env: Environment
  readonly #vitest: string
  readonly #node: string

  /**
   * @param name a folder of `test/projects`, or the path of any other project
   * @param env what every run of this project has in its environment
   * @param release the folder of the Vitest that runs it
   * @param node the file of the Node that runs it
   */
  constructor(
    name: string,
    env: Environment = {},
    release: string = usual,
    node: string = process.execPath,
  ) {
    this.dir = mkdtempSync(join(workspace(), `${basename(name)}-`))
    this.#env = env
    this.#node = node
    this.#vitest = join(release, 'vitest.mjs')
    const original = resolve(projects, name)
    // What an example has installed and built is not its own; a copy of a project has all that its runs left.
    const isCopy = original.startsWith(workspace())
    const isOwn = (path: string): boolean => isCopy || !/[\\/](node_modules|\.next)$/.test(path)
    cpSync(original, this.dir, { recursive: true, filter: isOwn })
    if (release !== own) installRelease(this.dir, release)
  }

  /** Runs Vitest once. The environment is the project's and the given one's alone: no CI, no colours. */
  run(args: string[] = [], env: Environment = {}): Promise<Run> {
    return this.#spawn(this.#node, [this.#vitest, 'run', ...args], env)
  }

  /** The same from one of its folders. */
  runIn(folder: string, args: string[] = [], env: Environment = {}): Promise<Run> {
    return this.#spawn(this.#node, [this.#vitest, 'run', ...args], env, folder)
  }

  /** Starts watch mode. Not through npx, which would end and leave Vitest running. */
  watch(env: Environment = {}, args: string[] = []): Watching {
    const child = this.#start(this.#node, [this.#vitest, '--watch', ...args], env)
    const watching: Watching = {
      output: '',
      stop: async () => {
        const closed = once(child, 'close')
        child.kill()
        await closed
      },
    }
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (watching.output += chunk))
    return watching
  }

  /** Runs a command as if it were pasted into a shell in the folder of the project. */
  shell(command: string, env: Environment = {}): Promise<Run> {
    const PATH = [dirname(this.#node), process.env.PATH].join(delimiter)
    return this.#spawn('sh', ['-c', command], { PATH, npm_config_offline: 'true', ...env })
  }

  /** Runs `vitest-cassette` of the package that is built. */
  cli(words: string, env: Environment = {}): Promise<Run> {
    return this.shell(`'${this.#node}' '${builtCli()}' ${words}`, env)
  }

  /** Runs Vitest once, and reads the outcome of each test. */
  async runTests(args: string[] = [], env: Environment = {}): Promise<TestsRun> {
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=run.json']
    const run = await this.run([...reporters, ...args], env)
    const tests = this.json('run.json').testResults.flatMap(({ name, assertionResults }: any) =>
      assertionResults.map((test: object) => ({ ...test, file: basename(name) })),
    )
    return { ...run, tests }
  }

  /** Records every test, and returns the run. */
  record(args: string[] = [], env: Environment = {}): Promise<Run> {
    return this.run(args, { RECORD: '1', ...env })
  }

  /** The files below a folder, relative to it, sorted. */
  files(dir: string = '__recordings__'): string[] {
    return filesBelow(join(this.dir, dir))
  }

  /** The path of the one cassette whose file name, or path below its folder, begins with a slug. */
  cassette(slug: string): string {
    const found = this.files().filter((file) =>
      (slug.includes('/') ? file : basename(file)).startsWith(slug),
    )
    if (found.length !== 1)
      throw new Error(`${found.length} cassettes begin with "${slug}": ${this.files().join(', ')}`)
    return `__recordings__/${found[0]}`
  }

  /** The exchanges of this cassette, as they are stored. */
  exchanges(slug: string): any[] {
    return this.json(this.cassette(slug)).exchanges
  }

  /** The prompts of this cassette. */
  prompts(slug: string): string[] {
    return this.exchanges(slug).map(({ prompt }) => prompt.text)
  }

  /** The text of each cassette, by its path below their folder. */
  contents(): Record<string, string> {
    return Object.fromEntries(
      this.files().map((file) => [file, this.read(`__recordings__/${file}`)]),
    )
  }

  /** Each cassette and picture as hexadecimal digits, with the time when it was last written. */
  snapshot(part: string = ''): Record<string, string> {
    const entries = this.files().flatMap((file) => {
      if (!file.includes(part)) return []
      const path = join(this.dir, '__recordings__', file)
      return [[file, `${readFileSync(path).toString('hex')} ${statSync(path).mtimeMs}`]]
    })
    return Object.fromEntries(entries) as Record<string, string>
  }

  /** Puts a copy of a cassette beside it, of a test that is gone. */
  leaveOrphan(cassette: string): void {
    const path = join(this.dir, cassette)
    cpSync(path, join(dirname(path), 'is-gone-0123456789.json'))
  }

  /** What the last run that failed by this package tells programs of its tests, and of errors without a test. */
  failures(): Failure[] {
    return this.json('node_modules/.cache/vitest-cassette/failures.json').tests
  }

  /** The value in a JSON file. */
  json(file: string): any {
    return JSON.parse(this.read(file))
  }

  read(file: string): string {
    return readFileSync(join(this.dir, file), 'utf8')
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.dir, file), text)
  }

  /** What `vitest-cassette verify` finds in the cassettes. */
  async findings(): Promise<Finding[]> {
    const { findings } = await verify(new CassetteStore(this.dir, '__recordings__', 1e9), this.dir)
    return findings
  }

  /** Replaces a text that has to be there. */
  edit(file: string, from: string, to: string): void {
    const text = this.read(file)
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
    this.write(file, text.replace(from, to))
  }

  /** Runs Vitest once with a text in the place of another, which comes back afterwards. */
  async runEdited(file: string, from: string, to: string, args: string[] = []): Promise<Run> {
    const text = this.read(file)
    this.edit(file, from, to)
    const run = await this.run(args)
    this.write(file, text)
    return run
  }

  remove(file: string): void {
    rmSync(join(this.dir, file), { recursive: true })
  }

  async #spawn(command: string, args: string[], env: Environment, folder = '.'): Promise<Run> {
    return endOf(this.#start(command, args, env, folder))
  }

  #start(
    command: string,
    args: string[],
    env: Environment,
    folder = '.',
  ): ChildProcessWithoutNullStreams {
    return start(command, args, join(this.dir, folder), { ...this.#env, ...env })
  }
}

/** A project of its own from a scenario of the lab, for what no run of the lab can prove. */
export function projectOfScenario(name: string, env: Environment = {}): VitestProject {
  const project = new VitestProject(`../lab/scenarios/${name}`, env)
  const { options = {}, test = {} } = project.json('scenario.json')
  project.write(
    'vitest.config.ts',
    `import { cassettes } from 'vitest-cassette/plugin'\n` +
      `export default { plugins: [cassettes(${JSON.stringify(options)})], test: ${JSON.stringify(test)} }\n`,
  )
  return project
}

/** Starts a program. Its environment is the given one alone: no CI, no colours. */
export function start(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Environment,
): ChildProcessWithoutNullStreams {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const basics = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NO_COLOR: '1' }
  return spawn(command, args, { cwd, env: present({ ...basics, ...env }) })
}

/** How a program ended, and what it printed. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Run> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exitCode = await new Promise<number>((resolve) =>
    child.on('close', (code) => resolve(code ?? -1)),
  )
  return { exitCode, output }
}

/** The files below a folder, relative to it, sorted. */
export function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort()
}

/** Gives a project another Vitest, and a copy of this package that finds it. */
function installRelease(dir: string, release: string): void {
  const installed = join(dir, 'node_modules')
  // A project can be the copy of another.
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  symlinkSync(release, join(installed, 'vitest'))
  const browsers = join(dirname(release), '@vitest/browser-playwright')
  mkdirSync(join(installed, '@vitest'))
  symlinkSync(browsers, join(installed, '@vitest/browser-playwright'))
  cpSync(join(workspace(), 'node_modules/vitest-cassette'), join(installed, 'vitest-cassette'), {
    recursive: true,
  })
}

function present(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
