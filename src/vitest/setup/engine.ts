// What loads where a cassette is asked anything but its own words: one file for all.
export { replayAtOnce } from '../../engine/replay-at-once.ts'
export { answerFromSession } from '../../intercept/answer/answer-from-session.ts'
export { answerSocket } from '../../intercept/websocket/answer-socket.ts'
export { isLlmCall } from '../../intercept/call/is-llm-call.ts'
export { sendUpstream } from '../../intercept/answer/upstream.ts'
export { closeSession } from './close-session.ts'
export { openSession } from './open-sessions.ts'
export { matchers } from '../api/matchers.ts'
