// The modules that reporters need if something went wrong in a run, or has to be explained. They load late: a run that only
// replayed needs `at-replay-end.ts` alone.
export { findOrphans } from '../../../cassette/orphans.ts'
export { countInterrupted } from '../../../cassette/leftovers.ts'
export { CassetteStore } from '../../../cassette/store.ts'
export { explainForeign, explainNothing } from '../../../explain/explain-foreign.ts'
export { explainTunnels } from '../../../explain/ways-out.ts'
export { addToStatistics } from '../../../features/run-statistics.ts'
export { withoutSecrets } from '../../../secrets/without-secrets.ts'
export { sharedCauses } from './same-cause.ts'
export { tellAccepting } from './tell-accepting.ts'
export { explainOutside } from './tell-outside.ts'
export { isTaken, renderSharedCause, settledTests, withoutAdvice } from './shared-causes.ts'
export { tellInStacks } from './whole-stack.ts'
