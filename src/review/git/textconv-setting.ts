import { existsSync } from 'node:fs'
import { posix, sep } from 'node:path'
import type { Git } from './git.ts'

const NAME = 'diff.cassette.textconv'

/** What this clone of the repository has to know beside its files, since git runs no command that a file names. */
export interface GitSetting {
  file: string
  lines: string[]
  write(): void
}

/** The setting that makes `git diff` show cassettes as conversations; `undefined` where it is there, or no repository is. */
export function missingSetting(git: Git): GitSetting | undefined {
  const prefix = git.try(['rev-parse', '--show-prefix'])?.trim()
  if (prefix === undefined || git.try(['config', '--get', NAME]) !== undefined) return undefined
  const command = `f() { ${commandFrom(git.cwd, prefix)} diff --textconv "$1" 2>/dev/null || cat "$1"; }; f`
  return {
    file: 'the config of this clone',
    lines: [`${NAME} = ${command}`],
    write: () => void git.run(['config', '--local', NAME, command]),
  }
}

/** As git calls it from the root of the repository; a file that cannot be called shows as it is. */
function commandFrom(cwd: string, prefix: string): string {
  const folders = prefix.split('/').filter(Boolean)
  for (let depth = folders.length; depth >= 0; depth--) {
    const up = Array.from({ length: folders.length - depth }, () => '..')
    const below = posix.join(...folders.slice(0, depth), 'node_modules/.bin/vitest-cassette')
    if (existsSync([cwd, ...up, 'node_modules', '.bin', 'vitest-cassette'].join(sep)))
      return `"${below}"`
  }
  return 'npx --no-install vitest-cassette'
}
