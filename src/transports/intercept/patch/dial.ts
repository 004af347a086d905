import type { Socket } from 'node:net'
import { builtin } from '../../../real/builtin.ts'
import { outsideOfMsw } from './outside-of-msw.ts'

/** The host of an address as sockets take it: IPv6 without brackets. */
export function hostToDial({ hostname }: { hostname: string }): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** The host of a socket as addresses have it: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** The name that a certificate has to be for; empty for a host without a name. */
export function nameToVerify(host: string): string {
  return builtin('node:net').isIP(host) === 0 ? host : ''
}

/**
 * Opens a connection to the host of an address, which MSW does not see.
 *
 * @param port where the address names none
 */
export function dialHost(address: URL, port: number): Socket {
  const to = { host: hostToDial(address), port: Number(address.port) || port }
  return outsideOfMsw(() => builtin('node:net').connect(to))
}
