import type { Renewed, RenewedPlaces } from '../dialect.ts'

/** The same places below another one. */
export function placesBelow(prefix: string, places: RenewedPlaces): RenewedPlaces {
  return Object.fromEntries(
    Object.entries(places).map(([kind, paths]) => [kind, paths.map((path) => `${prefix}.${path}`)]),
  )
}

/** The union of several sets of places. */
export function mergePlaces(...all: RenewedPlaces[]): RenewedPlaces {
  const kinds: Renewed[] = ['id', 'sealed', 'figure', 'usage', 'last', 'echo', 'whole']
  return Object.fromEntries(
    kinds.map((kind) => [kind, all.flatMap((places) => places[kind] ?? [])]),
  )
}
