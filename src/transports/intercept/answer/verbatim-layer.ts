// The parts that load at the first LLM call of a process, or for a test with a cassette, as one file.
export { ASKED_PICTURES, cassettePathIn, conversationId } from '../../../cassette/paths.ts'
export { openVerbatim } from '../../../attempt/open-verbatim.ts'
export { replayVerbatim } from './replay-verbatim.ts'
