import { nextTurn } from '../../real/clock.ts'
import type { Recorded } from '../recorded.ts'
import { type Flight, type Flights, wasRead } from '../../replay/flights.ts'

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

/** Turns of the event loop without any progress, after which a response waits no longer. */
const PATIENCE = 10

/**
 * Waits until the responses that ended before one have been read. It waits for no timer: what comes before has to be on
 * its way already.
 *
 * @param countUnasked counts the exchanges before a place that may still be asked for
 */
export async function waitForTurn(
  { place }: Flight,
  { open }: Flights,
  countUnasked: (place: number) => number,
): Promise<void> {
  const ahead = (): Flight[] => [...open].filter((one) => one.place < place && !wasRead(one))
  /** What has still to come before it, in a form that shows progress; empty where nothing has. */
  const state = (): string => {
    const [unasked, flights] = [countUnasked(place), ahead()]
    const spelled = flights.map((one) => `${one.place}:${one.response ? one.left : ''}`)
    return unasked === 0 && flights.length === 0 ? '' : [unasked, ...spelled].join()
  }
  let idle = 0
  for (let before = state(); before !== '' && idle < PATIENCE;) {
    await nextTurn()
    const now = state()
    idle = now === before ? idle + 1 : 0
    before = now
  }
  // Nobody reads them.
  for (const flight of ahead()) if (flight.response) open.delete(flight)
}
