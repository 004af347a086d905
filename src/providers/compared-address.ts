import type { CanonicalAddress } from '../prompt/canonical.ts'
import { remember } from '../remember.ts'
import { queryOf } from '../wire/url.ts'
import { endpointOf } from './providers.ts'

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
