import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject, Vitest } from 'vitest/node'
import { recordsAnswers } from '../../config/decide-mode.ts'
import { sendsNothing, type Mode } from '../../config/mode.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { escapePattern } from '../../text/escape-pattern.ts'

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

/** The runs that were warned; each restart of watch mode is a run of its own. */
const warned = new WeakSet<Vitest>()

/** Warns before the first call of watch mode that each save costs money. */
export function warnOfWatching(vitest: Vitest, mode: Mode): void {
  if (!vitest.config.watch || !recordsAnswers(mode) || warned.has(vitest)) return
  warned.add(vitest)
  vitest.logger.warn(
    '[vitest-cassette] Watch mode records at each save, and each time is paid for. To record once, stop this and run:\n' +
      '  npx vitest-cassette record\n' +
      'It prints the last cost first. Watch mode without RECORD replays the recordings.',
  )
}
