import type { Cassette } from '../../src/cassette/cassette.ts'
import { decodeCassette } from '../../src/cassette/decode.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import type { Incoming } from '../../src/engine/incoming.ts'
import { judgeAttempt, type Verdict } from '../explain/as-reported.ts'
import type { Session } from '../../src/engine/session.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import { throughWire } from '../providers/wire.ts'
import { dialectFor } from '../../src/engine/read-prompt.ts'

/** The cassette in a file that a person wrote, with these exchanges. */
export function writtenFile(...exchanges: object[]): Cassette {
  const file = {
    version: '1.0',
    conversation_id: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00Z',
    exchanges,
  }
  return decodeCassette(parseCassette(JSON.stringify(file)), () => {
    throw new Error('no file')
  })
}

/** An exchange that a person wrote. */
export function says(text: string, answer: string | object): object {
  return { prompt: { text }, response: typeof answer === 'string' ? { text: answer } : answer }
}

let order = 0

/** Counts up, so that requests are asked in the order in which they stand in a test. */
export function nextOrder(): number {
  return ++order
}

/** What a session answers to a request, as the client reads it; `undefined` for what it does not replay. */
export function askWritten(session: Session, incoming: Incoming): Completion | undefined {
  const answer = session.answer(incoming, { order: nextOrder() })
  if (answer.action !== 'replay') return undefined
  return dialectFor(incoming).readCompletion(throughWire(answer.response))
}

/** The verdict on a session whose test has passed. */
export function judged(session: Session): Verdict {
  return judgeAttempt(session, { passed: true, now: new Date('2026-06-01'), color: false })
}
