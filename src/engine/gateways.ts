import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import { isProviderPath } from '../dialects/kit/provider-paths.ts'
import { endpointOf } from '../dialects/kit/providers.ts'
import { remember, rememberFor } from '../remember.ts'
import type { Asked } from './asked.ts'

/** The host of an address with its port; `''` for what is no address. */
export const hostOf: (url: string) => string = remember((url) => URL.parse(url)?.host ?? '')

/** Whether an LLM call was answered at a host. No list of providers knows a gateway; its calls tell. */
export function isGateway(host: string, arrived: readonly Asked[]): boolean {
  return arrived.some((asked) => {
    const { wire } = asked.replayed ? asked.incoming : asked.recording.incoming
    return hostOf(wire.url) === host && isProviderPath(wire.method, new URL(wire.url))
  })
}

/**
 * Whether a cassette holds what was asked at a gateway beside its LLM calls. Where an older release recorded it, all
 * that passed.
 */
export function keepsBeside(cassette: Cassette | undefined, url: string): boolean {
  return cassette !== undefined && endpointsBeside(cassette).has(endpointOf(new URL(url)))
}

const endpointsBeside = rememberFor(({ exchanges }: Cassette): ReadonlySet<string> => {
  const asked = exchanges.filter(isRecorded).map(({ wire: { request } }) => request)
  const beside = asked.filter(({ method, url }) => !isProviderPath(method, new URL(url)))
  return new Set(beside.map(({ url }) => endpointOf(new URL(url))))
})
