// The parts that load at the first LLM call of a process, or for a test with a cassette, as one file.
export { ASKED_PICTURES } from '../../cassette/disk/outside-git.ts'
export { cassettePathIn, conversationId } from '../../cassette/disk/path.ts'
export { countRequests } from '../../host/count-requests.ts'
export { openSession } from '../../host/open-session.ts'
export { answerLlmCall } from './answer-llm-call.ts'
export { isLeftOut } from '../../host/run-channel.ts'
