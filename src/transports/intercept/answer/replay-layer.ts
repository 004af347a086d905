// The parts that load when a request is not the one that was recorded word for word, as one file.
export { isLeftOut } from '../../../attempt/run-channel.ts'
export { onlyReplayed } from '../../../engine/adopt.ts'
export { openSession } from '../../../attempt/open-session.ts'
export { answerLlmCall } from './answer-llm-call.ts'
export { readWhole } from '../call/whole-request.ts'
export { askByRequest, deliverLater } from '../http/deliver-fetch.ts'
