// What few written exchanges tell, and is compared then, as one file: `load-told.ts` names it.
export { sameButCut, withCutTexts } from './cut-texts.ts'
export { hasTools, toolsMeant } from './told-tools.ts'
export { withIds, withoutUnknownIds } from './traced.ts'
