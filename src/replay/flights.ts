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
