import { loadLater } from '../real/load-later.ts'
import { areInFlight, type Flight, type Flights } from './flights.ts'

// Most tests ask one thing after the other.
export const loadWaiting: () => typeof import('./wait-for-turn.ts') = loadLater(
  './wait-for-turn.mjs',
  () => import('./wait-for-turn.ts'),
)

/**
 * Settles when the responses that ended before one have been read; `undefined` where it need not wait.
 *
 * @param countUnasked counts the exchanges before a place that may still be asked for
 */
export function turnOf(
  flight: Flight,
  flights: Flights,
  countUnasked: (place: number) => number,
): Promise<void> | undefined {
  const haveMet = areInFlight(flights)
  flights.haveMet ||= haveMet
  if (!haveMet && !flight.isEarly) return undefined
  return loadWaiting().waitForTurn(flight, flights, countUnasked)
}
