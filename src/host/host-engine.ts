// The features that an attempt needs beyond a plain replay.
export { parseCassette } from '../cassette/format/parse.ts'
export { rareCases } from '../engine/rare/all-rare-cases.ts'
export { readStatistics } from '../validity/run-statistics.ts'
export { closeAttempt } from './close-attempt.ts'
export { keepPaidAnswer } from './paid-answers.ts'
export { refuseSharedName } from './refuse-shared-name.ts'
export { refuseTitle } from './refuse-title.ts'
export { reserve } from './spending.ts'
