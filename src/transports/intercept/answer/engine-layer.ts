// The parts that load when an attempt does more than a plain replay, as one file.
export {
  closeAttempt,
  keepPaidAnswer,
  parseCassette,
  rareCases,
  readStatistics,
  refuseSharedName,
  refuseTitle,
  reserve,
} from '../../../attempt/attempt-engine.ts'
export { askedConversations, exchangesOf, usageOfAsked } from '../../../recording/asked.ts'
export { explainTunnels } from '../../../explain/explain-foreign.ts'
export { redactorFor } from '../../../secrets/redactor.ts'
export { isLlmCall } from '../call/is-llm-call.ts'
export { reportOutsideTest } from '../context/report-outside-test.ts'
export { answerSocket } from '../websocket/answer-socket.ts'
export { answerByPictures } from './answer-by-pictures.ts'
export { answerBySpeakers } from './answer-by-speakers.ts'
export { askOtherModel } from './ask-other-model.ts'
export { refuseMiss } from './refuse-miss.ts'
export { retriedAtOnce } from './retried-at-once.ts'
export { warnOfPassed } from './recording-warnings.ts'
export { recordUpstream, sendUpstream } from './upstream.ts'
