import { readFileSync } from 'node:fs'
import type { OrphanReport } from '../../cassette/disk/orphans.ts'
import { ORPHAN_REPORT } from '../../config/environment.ts'
import type { Terminal } from '../terminal/command.ts'
import { runVitest } from './run-vitest.ts'
import { TempFolder } from './temp-folder.ts'

/** The output of a run of all tests, and its report on cassettes; no report if the plugin took no part in it. */
export interface JudgingRun {
  output: string
  report?: OrphanReport
}

/**
 * Runs the tests of a project in replay, to find out which tests exist.
 *
 * @param args options of Vitest
 * @throws CassetteError `invalid-command` where there is no Vitest.
 */
export async function runAllTests(
  terminal: Pick<Terminal, 'cwd' | 'env'>,
  args: readonly string[],
): Promise<JudgingRun> {
  using folder = new TempFolder()
  const file = folder.file('orphans.json')
  const { output } = await runVitest(terminal, args, { [ORPHAN_REPORT]: file })
  return { output, ...tryRead(file) }
}

function tryRead(file: string): { report?: OrphanReport } {
  try {
    return { report: JSON.parse(readFileSync(file, 'utf8')) as OrphanReport }
  } catch {
    return {}
  }
}
