// The parts that load when a request is not one that was recorded byte for byte, as one file.
export { isLeftOut } from '../../../attempt/run-channel.ts'
export { onlyReplayed } from '../../../engine/adopt.ts'
export { declareParams, decodeSealed, openSession } from '../../../attempt/open-session.ts'
export { answerLlmCall } from './answer-llm-call.ts'
export { replayDecoded } from './replay-decoded.ts'
export { readWhole } from '../call/whole-request.ts'
export { askByRequest, deliverLater } from '../http/deliver-fetch.ts'
