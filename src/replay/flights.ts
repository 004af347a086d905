import { loadLater } from '../real/load-later.ts'

// Most tests ask one thing after the other.
const loadWaiting = loadLater('./wait-for-turn.mjs', () => import('./wait-for-turn.ts'))

/** A response on its way to the application. */
export interface Flight {
  /** The place of its exchange in the cassette. */
  place: number
  /** Whether an exchange before it was not played yet. */
  isEarly?: boolean
  /** How many chunks of a stream are not read yet. */
  left: number
  /** Set once it is given. */
  response?: Response
}

/** The responses of one attempt that are in flight. They end in the order of the cassette, that of the recording. */
export interface Flights {
  readonly open: Set<Flight>
  /** Whether two of them have been in flight together. */
  haveMet: boolean
}

/** Whether one of them was not read to its end; the others are forgotten. */
export function areInFlight({ open }: Flights): boolean {
  for (const flight of open) if (wasRead(flight)) open.delete(flight)
  return open.size > 0
}

export function wasRead({ response, left }: Flight): boolean {
  return response !== undefined && left === 0 && (response.bodyUsed || response.body === null)
}

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
