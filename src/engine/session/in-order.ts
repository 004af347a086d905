import type { Recorded } from '../recorded.ts'

/**
 * The exchanges of a prompt that may answer: the one after which each was sent was played. A recorded exchange that
 * waits still goes before what a person wrote. Of polls, only those since the last change of the state answer.
 *
 * @param waitsFor the exchange that has to be played before another one
 */
export function inTurn(
  answering: readonly Recorded[],
  all: readonly Recorded[],
  isPoll: (entry: Recorded) => boolean,
  waitsFor: (entry: Recorded) => Recorded | undefined,
): Recorded[] {
  const ready = answering.filter((entry) => !waitsFor(entry))
  const waits = answering.some((entry) => !entry.played && !ready.includes(entry))
  if (!answering.some(isPoll)) return waits ? ready.filter(({ incoming }) => incoming) : ready
  const placeOf = ({ after }: Recorded): number => (after ? all.indexOf(after) : -1)
  const latest = Math.max(...ready.map(placeOf))
  return ready.filter((entry) => placeOf(entry) === latest)
}
