import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CassetteStore } from '../../src/cassette/disk/store.ts'
import type { Finding } from '../../src/verify/check.ts'
import { verify } from '../../src/verify/verify.ts'
import { workspace } from './install-package.ts'

const projects = fileURLToPath(new URL('../projects/', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Environment variables; `undefined` unsets one. */
type Environment = Record<string, string | undefined>

/** How a run ended and what it printed. */
export interface Run {
  exitCode: number
  /** Standard output and standard error as they came. */
  output: string
}

/** A run in watch mode. */
export interface Watching {
  /** What it printed since it started, or since this was emptied. */
  output: string
  stop(): Promise<void>
}

/** A copy of a project, on which Vitest really runs. */
export class VitestProject {
  readonly dir: string
  readonly #env: Environment

  /**
   * @param name a folder of `test/projects`, or the path of any other project
   * @param env what every run of this project has in its environment
   */
  constructor(name: string, env: Environment = {}) {
    this.dir = mkdtempSync(join(workspace(), `${basename(name)}-`))
    this.#env = env
    cpSync(resolve(projects, name), this.dir, { recursive: true })
  }

  /** Runs Vitest once. The environment is the project's and the given one's alone: no CI, no colours. */
  run(args: string[] = [], env: Environment = {}): Promise<Run> {
    return this.#spawn(process.execPath, [vitest, 'run', ...args], env)
  }

  /** The same from one of its folders. */
  runIn(folder: string, args: string[] = [], env: Environment = {}): Promise<Run> {
    return this.#spawn(process.execPath, [vitest, 'run', ...args], env, folder)
  }

  /** Starts watch mode. Not through npx, which would end and leave Vitest running. */
  watch(env: Environment = {}): Watching {
    const child = this.#start(process.execPath, [vitest, '--watch'], env)
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
    const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
    return this.#spawn('sh', ['-c', command], { PATH, npm_config_offline: 'true', ...env })
  }

  /** Records every test, and returns the run. */
  record(args: string[] = [], env: Environment = {}): Promise<Run> {
    return this.run(args, { RECORD: '1', ...env })
  }

  /** The files below a folder, relative to it, sorted. */
  files(dir: string = '__recordings__'): string[] {
    const path = join(this.dir, dir)
    if (!existsSync(path)) return []
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
      .sort()
  }

  /** The path of the one cassette whose file name begins with a slug. */
  cassette(slug: string): string {
    const found = this.files().filter((file) => basename(file).startsWith(slug))
    if (found.length !== 1)
      throw new Error(`${found.length} cassettes begin with "${slug}": ${this.files().join(', ')}`)
    return `__recordings__/${found[0]}`
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

  remove(file: string): void {
    rmSync(join(this.dir, file), { recursive: true })
  }

  async #spawn(command: string, args: string[], env: Environment, folder = '.'): Promise<Run> {
    const child = this.#start(command, args, env, folder)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += chunk))
    const exitCode = await new Promise<number>((resolve) =>
      child.on('close', (code) => resolve(code ?? -1)),
    )
    return { exitCode, output }
  }

  #start(
    command: string,
    args: string[],
    env: Environment,
    folder = '.',
  ): ChildProcessWithoutNullStreams {
    const { PATH, HOME, TMPDIR } = process.env
    // Hundreds of runs load the same files: compiled once, a run takes a fifth less.
    const NODE_COMPILE_CACHE = join(workspace(), '.compile-cache')
    const basics = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NO_COLOR: '1' }
    return spawn(command, args, {
      cwd: join(this.dir, folder),
      env: present({ ...basics, ...this.#env, ...env }),
    })
  }
}

function present(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
