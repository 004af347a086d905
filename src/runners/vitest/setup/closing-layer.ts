// Loaded for tests and files that ask, or have a cassette: `load-closing.ts` names it.
export { closeTest, judgeFile, waitBeside, warnOfForeign } from './close-task.ts'
export { failFile, failInNode } from './fail-in-node.ts'
export { hideTold } from './hide-told.ts'
export { LateReport } from './late-report.ts'
export { StandingFailures } from './outcome.ts'
export { endRows, placeOfTest } from './place-of-test.ts'
export { nextSample, repeatTests } from './samples.ts'
export { recordCommand } from './record-command.ts'
