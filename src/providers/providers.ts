import { remember } from '../remember.ts'
import { BUT, EQUAL, HOSTS, WILDCARDS } from './tables/addresses.ts'

/** The addresses of this machine that name nothing else. A name before `.localhost` can be that of a model. */
const THIS_MACHINE = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|localhost)$/
const LOOPBACK = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost)$/

/** The provider behind a host, in OpenTelemetry's words, or `undefined` for a host of unknown kind. */
export function providerOf(url: URL): string | undefined {
  return providerAt(hostOf(url)).provider
}

/** Dialects ask for one host again and again. */
const providerAt = remember((host) => ({
  provider: HOSTS.get(host) ?? WILDCARDS.find(([hosts]) => hosts.test(host))?.[1],
}))

/**
 * The part of a host that counts in a hash: the provider's name where its hosts are equal or it has but one,
 * `localhost`, or the host itself; never a port.
 */
export function endpointOf(url: URL): string {
  const host = hostOf(url)
  const provider = providerOf(url)
  if (provider === undefined) return THIS_MACHINE.test(host) ? 'localhost' : host
  return EQUAL.has(provider) && !BUT.get(provider)?.test(host) ? provider : host
}

/** True for an address of this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(hostOf(url))
}

/** The host without the final dot of the DNS root. */
function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '')
}
