// What the reporters need when a run has cassettes, loaded then: a run is waited for from its first moment.
export { findOrphans } from '../../cassette/disk/orphans.ts'
export { countInterrupted } from '../../cassette/disk/read-journals.ts'
export { CassetteStore } from '../../cassette/disk/store.ts'
export { addToStatistics } from '../../validity/add-to-statistics.ts'
export { livingTests } from './living-tests.ts'
export { renderLate } from './render-late.ts'
export { renderSummary } from './run-summary.ts'
