import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject, Vitest } from 'vitest/node'
import { sendsNothing } from '../config/mode.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'

/**
 * In watch mode, runs a test file again when one of its cassettes changes: another terminal recorded it, or git
 * replaced it. A run that records changes them itself, and would never end.
 */
export function watchCassettes(
  project: TestProject,
  { config: { watch, watchTriggerPatterns: known = [] }, config }: Vitest,
  { mode, dir }: ResolvedConfig,
): void {
  if (!watch || !sendsNothing(mode)) return
  const { root } = project.config
  const folder = escapePattern(`${root}/${dir}`.replaceAll('\\', '/'))
  config.watchTriggerPatterns = [
    ...known,
    {
      pattern: new RegExp(`^${folder}/(.+)/[^/]+\\.json$`),
      testsToRun(_, [, file]) {
        const path = join(root, file!)
        return existsSync(path) ? path : []
      },
    },
  ]
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
