import { isUnasked } from '../wire/imported.ts'
import type { WireRequest } from '../wire/message.ts'
import { PROVIDERS } from './catalogue.ts'
import { remember } from '../remember.ts'
import { compilePlaces, type Places, rowsAt } from '../json/places.ts'
import type { JsonPlace } from '../json/walk.ts'
import type { Dialect, ResponseRole } from './dialect.ts'
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

/** The places of the responses in a dialect. */
export type ResponsePlaces = Places<ResponseRole>

/** The places of the responses in a dialect; none where everything counts as it is. */
export const responsePlaces: (name: string) => ResponsePlaces = remember((name) => {
  const { places = [] } = dialects.find((dialect) => dialect.name === name) ?? {}
  return compilePlaces(places.map(([path, role]) => [path.split('.'), role] as const))
})

/** What stands at a place of a response; `undefined` where everything counts as it is. */
export function roleAt(places: ResponsePlaces, at: JsonPlace): ResponseRole | undefined {
  return rowsAt(places, at)[0]
}
