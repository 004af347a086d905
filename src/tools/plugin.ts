import { mutantsOfRun } from './mutate/mutant-reporter.ts'
import { recordOfRun } from './record/record-run-reporter.ts'
import { reportOfRun } from './report/report-reporter.ts'
import { watchRuns } from '../runners/run-watchers.ts'

export { cachingSettings, cassettes } from '../runners/plugin.ts'
export type {
  CachingSettings,
  CassetteMatchers,
  CassetteOptions,
  Mode,
  TestCassette,
} from '../runners/plugin.ts'

watchRuns(reportOfRun, recordOfRun, mutantsOfRun)
