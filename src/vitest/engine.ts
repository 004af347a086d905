// What loads where a cassette is asked anything but its own words: one file for all.
export { replayAtOnce } from '../engine/replay-at-once.ts'
export { answerFromSession } from '../intercept/answer-from-session.ts'
export { answerSocket } from '../intercept/answer-socket.ts'
export { isLlmCall } from '../intercept/is-llm-call.ts'
export { sendUpstream } from '../intercept/upstream.ts'
export { closeSession } from './close-session.ts'
export { openSession } from './open-sessions.ts'
export { matchers } from './matchers.ts'
