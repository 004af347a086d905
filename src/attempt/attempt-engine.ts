// The features that an attempt needs beyond a plain replay.
export { rareCases } from '../features/all-rare-cases.ts'
export { readStatistics } from '../features/run-statistics.ts'
export { closeAttempt } from './closing/close-attempt.ts'
export { keepPaidAnswer } from './closing/paid-answers.ts'
export { refuseSharedName, refuseTitle } from './refuse-recording.ts'
export { reserve } from './spending.ts'
