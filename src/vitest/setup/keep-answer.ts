import type { Journal } from '../../cassette/disk/journal.ts'
import { recordedTurn } from '../../engine/assemble.ts'
import type { Asked } from '../../engine/asked.ts'
import type { Session } from '../../engine/session.ts'

/** What was said already: once for each process is enough. */
const said = new Set<string>()

/** Keeps an answer that was paid for until its cassette is written. A test never fails for it. */
export function keepAnswer(session: Session, { order, recording }: Asked, journal: Journal): void {
  const turn = recording && recordedTurn(session, recording)
  if (!turn) return
  const { incoming, response, durationMs } = turn
  const { hash, after, wire: request } = incoming
  const params = session.params.values
  try {
    journal.append({ order, hash, after, request, response, durationMs, params })
  } catch (error) {
    return warn(
      `Answers cannot be kept while they are recorded (${(error as Error).message}): what a crash interrupts will be lost.`,
    )
  }
  if (journal.isElsewhere)
    warn(
      `node_modules/.cache cannot be written, so answers are kept in ${journal.display} while they are recorded.`,
    )
}

function warn(text: string): void {
  if (said.has(text.split('(')[0]!)) return
  said.add(text.split('(')[0]!)
  console.warn(`[vitest-cassette] ${text}`)
}
