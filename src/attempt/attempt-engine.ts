// The features that an attempt needs beyond a plain replay.
export { parseCassette } from '../cassette/parse.ts'
export { rareCases } from '../features/all-rare-cases.ts'
export { readStatistics } from '../features/run-statistics.ts'
export { closeAttempt } from './closing/close-attempt.ts'
export { keepPaidAnswer } from './closing/paid-answers.ts'
export { refuseSharedName } from './refuse-shared-name.ts'
export { refuseTitle } from './closing/refuse-title.ts'
export { reserve } from './spending.ts'
