import { PROVIDERS } from '../catalogue.ts'

// What ships has these tables as data, and no provider: tooling/provider-tables.ts prints them into this module.

const rows = Object.values(PROVIDERS).flatMap(({ places = [] }) => places)

/** The ids of calls by their conditions. */
const conditions = Map.groupBy(
  rows.flatMap((row) => (row[1] === 'call-id' ? [row] : [])),
  ([, , types, far]) => `${types} ${far}`,
)

/** The places of the ids of tool calls in a request, and the types that `RequestPlace` names. */
export const CALL_IDS: ReadonlyArray<
  readonly [paths: string, types: RegExp | undefined, far: RegExp | undefined]
> = Array.from(conditions.values(), (alike) => {
  const [, , types, far] = alike[0]!
  return [alike.map(([path]) => path).join(' '), types, far]
})

/** The places of a body with the id of a state. */
export const STATES: readonly string[] = rows.flatMap(([path, role]) =>
  role === 'state' ? path : [],
)

/** The places of a body at which a request stands: itself, one of a batch, one that a gateway gets. */
export const REQUESTS: readonly string[] = [
  ...new Set(['', ...rows.flatMap(([path, role]) => (role === 'request' ? `${path}.` : []))]),
  // Cloudflare's gateway gets one request for each provider that it may ask.
  '*.query.',
]
