import { isUnasked } from '../wire/imported.ts'
import type { WireRequest } from '../wire/message.ts'
import { PROVIDERS } from './catalogue.ts'
import { rememberFor } from '../remember.ts'
import type { Dialect, Renewed, RenewedPlaces } from './dialect.ts'
import { generic } from './kit/generic.ts'
import * as folders from './list/dialects.ts'
import { mcp } from './mcp/mcp.ts'

/** All dialects. Only the last one claims what another claims too: every request. */
export const dialects: readonly Dialect[] = [mcp, ...Object.values(folders).flat(), generic]

/** The paths of a dialect on any host, by the name of the dialect. */
const PATHS: Readonly<Record<string, RegExp>> = Object.assign(
  {},
  ...Object.values(PROVIDERS).map(({ paths }) => paths),
)

/** The dialect of a request; `generic` when no other claims it. Without a body, the path alone tells it. */
export function dialectOf(request: WireRequest): Dialect {
  const claims = isUnasked(request)
    ? ({ name }: Dialect): boolean => PATHS[name]?.test(new URL(request.url).pathname) ?? false
    : (dialect: Dialect): boolean => dialect.claims(request)
  return dialects.find(claims) ?? generic
}

/** The places that a dialect renews; none for one in which everything counts. */
export function renewedBy(name: string): RenewedPlaces {
  return dialects.find((dialect) => dialect.name === name)?.renewed ?? {}
}

/** What of a response is made anew at a place; `undefined` where everything counts. */
export function renewedAt(
  places: RenewedPlaces,
  at: ReadonlyArray<string | number>,
): Renewed | undefined {
  return patternsOf(places).find(([, keys]) => matches(keys, at))?.[0]
}

const patternsOf = rememberFor((places: RenewedPlaces) =>
  Object.entries(places).flatMap(([kind, paths]) =>
    paths.map((path) => [kind as Renewed, path.split('.')] as const),
  ),
)

function matches(keys: readonly string[], at: readonly unknown[]): boolean {
  return (
    keys.length === at.length &&
    keys.every((key, index) => key === '*' || key === String(at[index]))
  )
}
