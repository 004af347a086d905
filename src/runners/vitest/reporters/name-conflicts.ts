import type { TestError } from 'vitest'
import type { TestModule } from 'vitest/node'
import { unmergedIn } from '../../../real/git.ts'
import { endedTestsOf, isOurs } from '../../run-watchers.ts'

/** Says in each failure whose cassette git has in conflict that only one side of it was compared. */
export function nameConflicts(modules: readonly TestModule[]): void {
  const unmerged = unmergedIn(process.cwd())
  if (unmerged.size === 0) return
  for (const { meta, errors } of modules.flatMap(endedTestsOf)) {
    const path = meta.cassette?.cassette
    if (path === undefined || !unmerged.has(path)) continue
    for (const error of errors as TestError[])
      if (isOurs(error)) error.diff = `${explainConflict(path)}\n\n${error.diff ?? ''}`
  }
}

function explainConflict(path: string): string {
  return (
    `  conflict  git has not merged ${path}, and the folder holds one side alone.\n` +
    '            To choose a side before anything else: npx vitest-cassette resolve'
  )
}
