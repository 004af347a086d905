import type { Cassette } from '../cassette/cassette.ts'
import { isProviderPath } from '../providers/provider-paths.ts'
import { endpointOf } from '../providers/providers.ts'
import { remember, rememberFor } from '../remember.ts'
import type { WireRequest } from '../wire/message.ts'

/** The host of a URL with its port; `''` for an invalid URL. */
export const hostOf: (url: string) => string = remember((url) => URL.parse(url)?.host ?? '')

/** The part of an address that tells whether a cassette holds it: its endpoint, and its path. */
export const comparedAddress: (url: string) => string = remember((url) => {
  const address = URL.parse(url)
  return address ? endpointOf(address) + address.pathname : ''
})

/** The places of all recorded exchanges. */
export const comparedAddresses: (cassette: Cassette) => ReadonlySet<string> = rememberFor(
  ({ exchanges }: Cassette): ReadonlySet<string> =>
    new Set(exchanges.flatMap(({ wire }) => (wire ? [comparedAddress(wire.request.url)] : []))),
)

/** Whether one of these is an LLM call to a host. Gateways are in no list of providers, so calls identify them. */
export function isGateway(host: string, asked: readonly WireRequest[]): boolean {
  return asked.some(
    ({ method, url }) => hostOf(url) === host && isProviderPath(method, new URL(url)),
  )
}
