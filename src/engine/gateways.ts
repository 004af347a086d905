import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import { isProviderPath } from '../dialects/kit/provider-paths.ts'
import { endpointOf } from '../dialects/kit/providers.ts'
import { remember } from '../remember.ts'
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
  const endpoint = endpointOf(new URL(url))
  return (cassette?.exchanges ?? []).filter(isRecorded).some(({ wire: { request } }) => {
    const asked = new URL(request.url)
    return endpointOf(asked) === endpoint && !isProviderPath(request.method, asked)
  })
}
