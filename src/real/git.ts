import { spawnSync } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** The environment in which git speaks English, asks nothing, and takes no lock to read. */
export function environmentOfGit(env: Environment): NodeJS.ProcessEnv {
  return { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' }
}

/** What git may say at most. */
export const MAX_GIT_BYTES: number = 2 ** 31 - 1

/**
 * The paths below a folder that git has in conflict, relative to the folder. A file that git does not merge line by line has
 * no marks then: one side of it is in the folder, and looks like any other.
 */
export function unmergedIn(cwd: string, env: Environment = process.env): ReadonlySet<string> {
  const { status, stdout } = spawnSync('git', ['ls-files', '-u', '-z'], {
    cwd,
    env: environmentOfGit(env),
    maxBuffer: MAX_GIT_BYTES,
  })
  const entries = status === 0 ? stdout.toString('utf8').split('\0') : []
  return new Set(entries.flatMap((entry) => entry.split('\t').slice(1).join('\t') || []))
}
