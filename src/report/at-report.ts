// The modules that write a report, loaded by the runs that write one.
export { CassetteStore } from '../cassette/disk/store.ts'
export { Progress } from '../cli/terminal/progress.ts'
export { ownVersion } from '../config/own-version.ts'
export { PriceTable } from '../conversation/cost/cost.ts'
export { sourcesIn } from './read-cassettes.ts'
export { writeReport } from './write-report.ts'
