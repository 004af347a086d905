// Explains why requests missed, and judges attempts that did more than replay, as one file: `load-explain.ts` names it.
export { findClosest } from '../../explain/closest.ts'
export { explainBriefly, explainMiss } from '../../explain/explain.ts'
export { explainForeign } from '../../explain/explain-foreign.ts'
export { explainLate, explainSent } from '../../explain/explain-late.ts'
export { explainUnwritten } from '../../explain/explain-unwritten.ts'
export { judgeWhole } from '../../explain/judge-secrets.ts'
export { redactKnown } from '../../secrets/redactor.ts'
export { withoutSecrets } from '../../secrets/without-secrets.ts'
