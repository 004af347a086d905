import { spawnSync } from 'node:child_process'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { CliProject } from './run-cli.ts'

/** A project in a repository of its own, which knows nothing of who runs the tests. */
export class GitProject extends CliProject {
  constructor() {
    super()
    const { PATH = '' } = process.env
    Object.assign(this.env, { PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' })
    this.git('init', '-q', '-b', 'main')
    this.git('config', 'user.name', 'a')
    this.git('config', 'user.email', 'a@example.com')
    this.git('config', 'commit.gpgsign', 'false')
  }

  /** What git says, in a folder of the project where one is given. */
  git(...words: string[]): string {
    const { status, stdout, stderr } = spawnSync('git', words, {
      cwd: this.root,
      encoding: 'utf8',
      env: { ...process.env, ...this.env },
    })
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
    return stdout
  }

  async saveAll(cassettes: Iterable<[path: string, cassette: Cassette]>): Promise<void> {
    for (const [path, cassette] of cassettes) await this.save(path, cassette)
  }

  /** Saves cassettes and commits all that is there. */
  async commit(...cassettes: Array<[path: string, cassette: Cassette]>): Promise<void> {
    await this.saveAll(cassettes)
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', 'a commit')
  }
}
