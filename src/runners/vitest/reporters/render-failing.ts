import type { Colors } from 'picocolors/types.js'
import { countOf } from '../../../text/count-of.ts'
import { printable } from '../../../text/printable.ts'
import type { CountedAttempt, Statistics } from '../../../features/run-statistics.ts'
import { summaryRows } from '../../run-watchers.ts'

const MAX_SHOWN = 3

/** The lines of a run on cassettes whose test failed in it, and in the run before. */
export function renderFailing(
  attempts: readonly CountedAttempt[],
  statistics: Statistics,
  paint: Colors,
): string | undefined {
  const failed = new Map(
    attempts.filter(({ passed }) => passed === false).map((one) => [one.cassette, one]),
  )
  const lines = Array.from(failed.values()).flatMap(({ cassette, recording }) => {
    const runs = statistics.runsOf(cassette, recording)
    if (!runs || runs.failuresInARow < 2) return []
    return `${printable(cassette)}: ${runs.failuresInARow} times, of ${countOf(runs.attempts, 'attempt')}`
  })
  if (lines.length === 0) return undefined
  const shown = lines.slice(0, MAX_SHOWN)
  const more = lines.length > shown.length ? [`and ${lines.length - shown.length} more`] : []
  const rows = [
    paint.yellow(`${countOf(lines.length, 'cassette')} not for the first time`),
    ...[...shown, ...more].map((line) => paint.dim(line)),
  ]
  return summaryRows('Failing', rows, paint)
}
