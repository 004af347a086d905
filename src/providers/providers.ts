import { dotlessHost, hostWithoutPort } from '../wire/address.ts'
import { BUT, EQUAL, HOSTS, WILDCARDS } from './tables/addresses.ts'

const LOOPBACK = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost)$/

/** Of the hosts that were asked: dialects ask for one again and again. */
const providers = new Map<string, string | undefined>()

/** The provider behind a host, in OpenTelemetry's words, or `undefined` for a host of unknown kind. */
export function providerOf(url: URL): string | undefined {
  const host = dotlessHost(url)
  if (!providers.has(host))
    providers.set(host, HOSTS.get(host) ?? WILDCARDS.find(([hosts]) => hosts.test(host))?.[1])
  return providers.get(host)
}

/**
 * The part of a host that counts in a hash: the provider's name where its hosts are equal or it has but one,
 * `localhost`, or the host itself; never a port.
 */
export function endpointOf(url: URL): string {
  const provider = providerOf(url)
  const host = hostWithoutPort(url)
  if (provider === undefined) return host
  return EQUAL.has(provider) && !BUT.get(provider)?.test(host) ? provider : host
}

/** True for an address of this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(dotlessHost(url))
}
