import { decodeCassette } from '../../src/cassette/decode.ts'
import { parseStored } from '../../src/cassette/reader.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { judgeAttempt } from '../explain/as-reported.ts'
import { openExample, question } from '../engine/example-session.ts'

/** Sends the requests of a cassette once more, in order: what becomes of each, and why their test would fail. */
export function replayCassette(stored: object): { actions: string[]; failure?: string } {
  const cassette = decodeCassette(parseStored(JSON.stringify(stored)), () => {
    throw new Error('A cassette with files is replayed by a run.')
  })
  const session = openExample(cassette)
  const actions = cassette.exchanges.map(({ prompt, wire }, order) => {
    const incoming = wire ? readIncoming(wire.request) : question(prompt.text)
    return session.answer(incoming, { order }).action
  })
  const { failure } = judgeAttempt(session, { passed: true, now: new Date(), color: false })
  return { actions, ...(failure ? { failure: failure.headline } : {}) }
}
