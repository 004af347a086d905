import { spawnSync } from 'node:child_process'
import { environmentOfGit, MAX_GIT_BYTES } from '../../real/git.ts'
import { invalidCommand } from '../terminal/options.ts'

/** The command that fetches a branch, which people also name with its remote: `origin/main`. */
export function fetchCommand(branch: string): string {
  return `git fetch origin ${branch.replace(/^origin\//, '')}`
}

/** Runs git in one folder, in English, without prompts and without locks for commands that only read. */
export class Git {
  readonly cwd: string
  readonly #env: NodeJS.ProcessEnv

  constructor(cwd: string, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.cwd = cwd
    this.#env = environmentOfGit(env)
  }

  /** The output of a command; `undefined` if it fails, or git is missing. */
  try(args: readonly string[]): string | undefined {
    const { status, stdout } = this.#spawn(args)
    return status === 0 ? stdout.toString('utf8') : undefined
  }

  /**
   * The output of a command.
   *
   * @throws CassetteError `invalid-command` with the error of git.
   */
  run(args: readonly string[], input?: string): Buffer {
    const { status, stdout, stderr, error } = this.#spawn(args, input)
    if (status === 0) return stdout
    const problem = error?.message ?? stderr.toString('utf8').trim()
    throw invalidCommand(
      `git ${args.find((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'))} failed: ${problem}`,
    )
  }

  /**
   * The path from the root of the repository to this folder, `packages/a/`; empty at the root.
   *
   * @throws CassetteError `invalid-command` where there is no git, or no repository.
   */
  prefix(): string {
    const { status, stdout, stderr, error } = this.#spawn(['rev-parse', '--show-prefix'])
    if (status === 0) return stdout.toString('utf8').replace(/\n$/, '')
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
      throw invalidCommand(
        'git is not installed, or not on the PATH. The comparison needs the versions that git has.',
      )
    const said = stderr.toString('utf8').trim()
    throw invalidCommand(
      /not a git repository/.test(said)
        ? `${this.cwd} is in no git repository, so there is nothing to compare with.\nTo begin one: git init && git add -A && git commit`
        : `git cannot be asked: ${said || error?.message}`,
    )
  }

  #spawn(args: readonly string[], input?: string) {
    return spawnSync('git', args, {
      cwd: this.cwd,
      env: this.#env,
      maxBuffer: MAX_GIT_BYTES,
      input,
    })
  }
}
