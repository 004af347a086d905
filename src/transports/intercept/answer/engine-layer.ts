// The parts that load when an attempt does more than a plain replay, as one file.
export {
  closeAttempt,
  keepPaidAnswer,
  laterCases,
  loadRare,
  refuseSharedName,
  refuseTitle,
  reserve,
} from '../../../attempt/attempt-engine.ts'
export { askedConversations, exchangesOf, usageOfAsked } from '../../../recording/asked.ts'
export { reportOutsideTest } from '../context/report-outside-test.ts'
export {
  answerByPictures,
  answerBySpeakers,
  askOtherModel,
  refuseMiss,
  retriedAtOnce,
  tellTunnels,
} from './beyond-replay.ts'
export { recordUpstream, sendUpstream, warnOfPassed } from './upstream.ts'
