import { commandOfRun } from './programs/command-run-reporter.ts'
import { settingsOfRun } from './doctor/settings-reporter.ts'
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

watchRuns(reportOfRun, commandOfRun, settingsOfRun)
