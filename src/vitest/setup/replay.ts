// What loads at the first LLM call of a test file, or where it has cassettes: one file for all.
export { cassettePath } from '../../cassette/disk/path.ts'
export { answerAtOnce } from '../../intercept/answer/answer-at-once.ts'
export { answerLlmCall } from '../../intercept/answer/answer-llm-call.ts'
export { countVerbatim, openVerbatim } from './open-verbatim.ts'
