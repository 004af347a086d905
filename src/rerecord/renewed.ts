/**
 * What a leaf of an answer is that may be another in the next answer that says the same:
 * - `id`: names something, and is sent back by the application. Who is named by whom still counts.
 * - `sealed`: as `id`, and a stream may bring it in pieces.
 * - `figure`: dates, durations, fingerprints, padding, and tokens of the prompt. It does not count.
 * - `last`: a running total of a stream, of which the last one counts.
 * - `echo`: repeats what the request says. Where the prompt changed, it changes with it.
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

/** All places of several. */
export function merge(...all: RenewedPlaces[]): RenewedPlaces {
  const kinds: Renewed[] = ['id', 'sealed', 'figure', 'last', 'echo', 'whole']
  return Object.fromEntries(
    kinds.map((kind) => [kind, all.flatMap((places) => places[kind] ?? [])]),
  )
}
