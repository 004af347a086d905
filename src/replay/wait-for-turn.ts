import { nextTurn } from '../real/clock.ts'
import { type Flight, type Flights, wasRead } from './flights.ts'

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

/** Gives an answer when its turn has come, unless its client leaves before. */
export function giveLater(
  turn: Promise<void>,
  response: Response,
  flight: Flight,
  { open }: Flights,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      open.delete(flight)
      reject(signal!.reason as Error)
    }
    signal?.addEventListener('abort', leave, { once: true })
    void turn.then(() => {
      signal?.removeEventListener('abort', leave)
      flight.response = response
      resolve(response)
    })
  })
}
