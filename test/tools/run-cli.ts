import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pc from 'picocolors'
import { CassetteStore } from '../../src/cassette/store.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { Keys } from '../../src/tools/terminal/command.ts'
import { Progress } from '../../src/tools/terminal/progress.ts'
import { runCommand } from '../../src/tools/commands.ts'

/** A project with cassettes, and what the commands say in it. */
export class CliProject implements Disposable {
  readonly root: string
  /** Where the user stands, from the root of the project. */
  folder = ''
  /** The environment of the commands. */
  readonly env: Record<string, string> = {}
  /** What is pressed where they ask for keys; absent where there is no terminal. */
  keys?: string
  /** What they say about their progress, and the clock by which they say it. */
  progress = ''
  /** The width of the terminal; absent where there is none. */
  columns?: number
  now: () => number = () => 0

  /** @param root a project that is there; else it is new, and empty */
  constructor(root: string = mkdtempSync(join(tmpdir(), 'vitest-cassette-cli-'))) {
    this.root = root
  }

  save(path: string, cassette: Cassette): Promise<void> {
    return this.saveIn('__recordings__', path, cassette)
  }

  /** Saves a cassette in another folder of cassettes. */
  async saveIn(dir: string, path: string, cassette: Cassette): Promise<void> {
    await new CassetteStore(this.root, dir, 1e9).save(path, cassette)
  }

  /** Keeps a recording as that of a test that failed. */
  async park(path: string, cassette: Cassette): Promise<void> {
    this.writeTest(cassette)
    await new CassetteStore(this.root, '__recordings__', 1e9).park(path, cassette)
  }

  /** Writes the file of a test, which a recording needs to be used. */
  writeTest({ conversationId }: Pick<Cassette, 'conversationId'>): void {
    writeFileSync(join(this.root, conversationId.split(' > ')[0]!), '')
  }

  /** Runs `vitest-cassette` with these words. */
  async run(...words: string[]): Promise<{ code: number; out: string; problems: string }> {
    const pressed = [...(this.keys ?? '')]
    const keys: Keys = {
      next: () => Promise.resolve(pressed.shift() ?? 'ctrl-c'),
      lend: (work) => work(),
      close: () => {},
    }
    let out = ''
    let problems = ''
    const code = await runCommand(words, {
      cwd: join(this.root, this.folder),
      env: this.env,
      columns: this.columns,
      colors: pc.createColors(false),
      write: (text) => void (out += text),
      warn: (text) => void (problems += `${text}\n`),
      ...(this.keys === undefined ? {} : { openKeys: () => keys }),
      progress: new Progress(
        { isLive: false, write: (text) => void (this.progress += text) },
        this.now,
      ),
    })
    return { code, out, problems }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true })
  }
}
