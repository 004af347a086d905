import type { CanonicalAddress } from '../prompt/canonical.ts'
import { compilePlaces } from '../json/places.ts'
import type { CallPlaces } from '../prompt/call-ids.ts'
import { remember } from '../remember.ts'
import { queryOf } from '../wire/url.ts'
import { endpointOf } from './providers.ts'
import { CALL_IDS, REQUESTS, STATES } from './tables/request-places.ts'

export { STATES }

/** The parts of a URL that are compared. */
export const canonicalAddress: (url: string) => CanonicalAddress = remember((url) => {
  const address = new URL(url)
  // A name may contain `=`, which separates it from its value.
  const parameters = queryOf(address).map(([name, value]) => [
    `${name.replaceAll('%', '%25').replaceAll('=', '%3D')}=`,
    value,
  ])
  // By their names alone: the values of one name are a list, whose order counts.
  parameters.sort(([one], [other]) => (one! < other! ? -1 : one! > other! ? 1 : 0))
  const query = parameters.map((parts) => parts.join(''))
  return {
    endpoint: endpointOf(address),
    // Some versions of Node encode it, others do not.
    path: address.pathname.replaceAll('^', '%5E'),
    ...(query.length > 0 ? { query } : {}),
  }
})

/**
 * The places of call ids in the body of a request, or in a line of it, from the outermost object inwards. A call and its
 * result are both here or neither is, since otherwise a result could change its call unseen.
 */
export const CALLS: CallPlaces = compilePlaces(
  CALL_IDS.flatMap(([paths, types, far]) =>
    REQUESTS.flatMap((root) =>
      paths.split(' ').map((path) => [`${root}${path}`.split('.'), { types, far }] as const),
    ),
  ),
)
