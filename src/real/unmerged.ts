import { spawnSync } from 'node:child_process'

/**
 * The paths below a folder that git has in conflict, relative to the folder. A file that git does not merge line by line has
 * no marks then: one side of it is in the folder, and looks like any other.
 */
export function unmergedIn(
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ReadonlySet<string> {
  const { status, stdout } = spawnSync('git', ['ls-files', '-u', '-z'], {
    cwd,
    env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
    maxBuffer: 2 ** 31 - 1,
  })
  const entries = status === 0 ? stdout.toString('utf8').split('\0') : []
  return new Set(entries.flatMap((entry) => entry.split('\t').slice(1).join('\t') || []))
}
