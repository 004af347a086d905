// The parts that load at the first LLM call of a process, or for a test with a cassette, as one file.
export { ASKED_PICTURES, cassettePathIn, conversationId } from '../../../cassette/paths.ts'
export { countRequests } from '../../../attempt/count-requests.ts'
export { openSession } from '../../../attempt/open-session.ts'
export { answerLlmCall } from './answer-llm-call.ts'
export { isLeftOut } from '../../../attempt/run-channel.ts'
