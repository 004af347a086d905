import { Git } from '../programs/git.ts'
import type { Terminal } from '../terminal/command.ts'

/** The rule by which git ignores one of some files, as `.gitignore:3:*.json`; `undefined` if it ignores none. */
export function ignoringRule(
  files: readonly string[],
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
): string | undefined {
  const [file] = files
  const git = new Git(cwd, env)
  // One folder has one rule, and the number of files can exceed the length of a command line.
  const found = file && git.try(['check-ignore', '--verbose', '--', file])
  // Where git ignores the whole project, nobody else has it.
  return found && git.try(['check-ignore', '--', '.']) === undefined
    ? found.split('\t')[0]
    : undefined
}
