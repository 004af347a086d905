import { mutantsOfRun } from './mutate/mutant-reporter.ts'
import { recordOfRun } from './recording/record-run-reporter.ts'
import { reportOfRun } from './report/report-reporter.ts'
import { watchRuns } from './vitest/run-watchers.ts'

export { cachingSettings, cassettes } from './vitest/plugin.ts'
export type {
  CachingSettings,
  CassetteMatchers,
  CassetteOptions,
  Mode,
  TestCassette,
} from './vitest/plugin.ts'

watchRuns(reportOfRun, recordOfRun, mutantsOfRun)
