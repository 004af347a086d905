// The features that an attempt needs beyond a plain replay.
export { laterCases, loadRare } from '../features/later-cases.ts'
export { closeAttempt } from './closing/close-attempt.ts'
export { keepPaidAnswer } from './closing/paid-answers.ts'
export { refuseSharedName, refuseTitle } from './refuse-recording.ts'
export { reserve } from './spending.ts'
