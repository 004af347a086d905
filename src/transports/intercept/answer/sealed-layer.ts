// What replays by hash, and what a test with a cassette needs, as one file: most tests load no more.
export { ASKED_PICTURES, cassettePathIn, conversationId } from '../../../cassette/paths.ts'
export { openSealed } from '../../../attempt/open-sealed.ts'
export { fetchSealed } from './replay-sealed.ts'
