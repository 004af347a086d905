import { existsSync } from 'node:fs'
import { posix, sep } from 'node:path'
import type { Git } from './git.ts'

const NAME = 'diff.cassette.textconv'

/** A setting for the config of this clone: git runs no command that a file of the repository names. */
interface GitSetting {
  file: string
  lines: string[]
  write(): void
}

/** The setting that makes `git diff` show conversations; `undefined` if it exists or there is no repository. */
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

/** The command as git calls it from the root of the repository. */
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
