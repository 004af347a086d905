import { completionFor, promptFor } from '../engine/read-prompt.ts'
import type { Recording } from '../engine/recording.ts'
import { callLater } from '../real/clock.ts'
import { inRealWorld } from '../real/real-world.ts'
import { scanAhead } from '../secrets/find-secrets.ts'

/** A provider that takes longer to answer leaves time to read: others are not held up. */
const IDLE_MS = 5

let waiting: Recording[] = []
let stop: (() => void) | undefined

/**
 * Reads recorded exchanges while their tests wait for the next answer: what is found is remembered, so that the end of a
 * test has less to do.
 */
export function readAhead(recording: Recording): void {
  waiting.push(recording)
  stop?.()
  stop = callLater(IDLE_MS, () => inRealWorld(readWaiting))
}

function readWaiting(): void {
  const recordings = waiting
  waiting = []
  for (const { incoming, response } of recordings) {
    try {
      promptFor(incoming)
      scanAhead(incoming.wire.body)
      if (!response) continue
      completionFor(response, incoming)
      scanAhead(response.body)
    } catch {
      // The end of the test meets the same error, and reports it.
    }
  }
}
