// Loaded at the first request of any kind: `layers.ts` names it.
export { isSaidAt } from '../../../engine/may-lead.ts'
export { answer, isOwn, isLlmSocketInScope, judgeInScope } from '../../answer.ts'
export { openToPages } from '../call/preflight.ts'
export { answerFetch, answerRead } from '../http/fetch-interceptor.ts'
