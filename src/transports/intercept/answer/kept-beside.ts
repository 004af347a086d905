import { isRecorded, type Cassette } from '../../../cassette/cassette.ts'
import { isProviderPath } from '../../../providers/provider-paths.ts'
import { endpointOf } from '../../../providers/providers.ts'
import { rememberFor } from '../../../remember.ts'

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
