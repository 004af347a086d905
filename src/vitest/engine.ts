// What loads at the first LLM call of a test file, or where it has cassettes: one file for all.
export { cassettePath } from '../cassette/path.ts'
export { answerAtOnce } from '../intercept/answer-at-once.ts'
export { answerLlmCall } from '../intercept/answer-llm-call.ts'
export { answerSocket } from '../intercept/answer-socket.ts'
export { sendUpstream } from '../intercept/upstream.ts'
export { closeSession } from './close-session.ts'
export { openSession } from './open-sessions.ts'
export { matchers } from './matchers.ts'
