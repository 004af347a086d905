import { isRecorded, type Cassette } from '../cassette/cassette.ts'
import { isProviderPath } from '../providers/provider-paths.ts'
import { endpointOf } from '../providers/providers.ts'
import { remember, rememberFor } from '../remember.ts'
import type { WireRequest } from '../wire/message.ts'

/** The host of a URL with its port; `''` for an invalid URL. */
export const hostOf: (url: string) => string = remember((url) => URL.parse(url)?.host ?? '')

/** Whether one of these is an LLM call to a host. Gateways are in no list of providers, so calls identify them. */
export function isGateway(host: string, asked: readonly WireRequest[]): boolean {
  return asked.some(
    ({ method, url }) => hostOf(url) === host && isProviderPath(method, new URL(url)),
  )
}

/**
 * Whether a cassette holds requests to the endpoint of a URL that are not LLM calls. Older releases recorded every
 * request to a gateway.
 */
export function keepsBeside(cassette: Cassette | undefined, url: string): boolean {
  return cassette !== undefined && endpointsBeside(cassette).has(endpointOf(new URL(url)))
}

const endpointsBeside = rememberFor(({ exchanges }: Cassette): ReadonlySet<string> => {
  const asked = exchanges.filter(isRecorded).map(({ wire: { request } }) => request)
  const beside = asked.filter(({ method, url }) => !isProviderPath(method, new URL(url)))
  return new Set(beside.map(({ url }) => endpointOf(new URL(url))))
})
