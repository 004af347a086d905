// The modules that write a report, loaded by the runs that write one.
export { CassetteStore } from '../../cassette/store.ts'
export { Progress } from '../terminal/progress.ts'
export { PriceTable } from '../../conversation/cost.ts'
export { sourcesIn, writeReport } from '../page/write-report.ts'
