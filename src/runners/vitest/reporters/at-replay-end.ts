// The modules that reporters need if a run has cassettes. They load late, so that every run starts fast.
export { orphanPaths } from '../../../cassette/orphans.ts'
export { CassetteReader } from '../../../cassette/reader.ts'
export { countPasses, isPlainPass } from '../../../features/count-passes.ts'
export { livingTests } from './living-tests.ts'
export { renderOverwritten, renderSummary } from './run-summary.ts'
