/**
 * The kind of a value that may differ between two answers that say the same:
 * - `id`: names something, and is sent back by the application. Which ids are equal still counts.
 * - `sealed`: as `id`, and a stream may bring it in pieces.
 * - `figure`: a date, duration, fingerprint, padding, or token count of the prompt. It does not count.
 * - `last`: a running total of a stream, of which the last one counts.
 * - `echo`: repeats a part of the request, and changes with it.
 * - `whole`: counts, as one value: a stream brings all of it at once, and may bring two of them at one place.
 */
export type Renewed = 'id' | 'sealed' | 'figure' | 'last' | 'echo' | 'whole'

/** Places in the body or in the events of an answer; `*` is any key or position. */
export type RenewedPlaces = Partial<Record<Renewed, readonly string[]>>

/** The same places below another one. */
export function below(prefix: string, places: RenewedPlaces): RenewedPlaces {
  return Object.fromEntries(
    Object.entries(places).map(([kind, paths]) => [kind, paths.map((path) => `${prefix}.${path}`)]),
  )
}

/** The union of several sets of places. */
export function merge(...all: RenewedPlaces[]): RenewedPlaces {
  const kinds: Renewed[] = ['id', 'sealed', 'figure', 'last', 'echo', 'whole']
  return Object.fromEntries(
    kinds.map((kind) => [kind, all.flatMap((places) => places[kind] ?? [])]),
  )
}
