// What few written exchanges tell, and is compared then, as one file: `load-told.ts` names it.
export { countsUnsent, writeTraced } from './choices.ts'
export { sameButCut, withCutTexts } from './cut-texts.ts'
export { hasTools, toolsMeant } from './told-tools.ts'
export { withoutUnknownIds } from './traced.ts'
