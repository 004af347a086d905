import { isUnasked } from '../wire/imported.ts'
import type { WireRequest } from '../wire/message.ts'
import { PROVIDERS } from './catalogue.ts'
import type { Dialect, RenewedPlaces } from './dialect.ts'
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
