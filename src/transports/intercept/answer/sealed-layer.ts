// What replays by hash, as one file: most tests load no more.
export { openSealed } from '../../../attempt/open-sealed.ts'
export { fetchSealed, replayPlain } from './replay-sealed.ts'
