import { hostname, networkInterfaces } from '../../../real/os.ts'
import { matchesHost } from '../../../config/hosts.ts'
import { CassetteError } from '../../../errors.ts'
import { isLoopback } from '../../../providers/providers.ts'
import { hostInUrl } from '../patch/dial.ts'
import { type Connection, describeConnection } from './guard-policy.ts'
import { type HostName, isOfInterface } from './own-addresses.ts'

export interface NetworkOptions {
  network?: 'open' | 'closed'
  allowHosts: readonly string[]
}

/** Whether something may not be sent to an address: it leaves this machine, whose network an option closes. */
export function isClosedTo(url: HostName, { network, allowHosts }: NetworkOptions): boolean {
  return network === 'closed' && !isThisMachine(url) && !matchesHost(url as URL, allowHosts)
}

/** Whether an address is that of this machine: loopback, the addresses of its interfaces, its own name. */
export function isThisMachine(url: HostName): boolean {
  return isLoopback(url as URL) || isOfInterface(url, { hostname, networkInterfaces })
}

/** True for connections to other machines, where the option `network` closes this one. */
export function isOutside(connection: Connection, options: NetworkOptions): boolean {
  const { host, port, transport, isNamed } = connection
  if (options.network !== 'closed' || isNamed) return false
  // A zone is no part of an address.
  const url = URL.parse(`https://${hostInUrl(host.replace(/%.*$/, ''))}:${port}`)
  if (!url) return false
  // A question to a name server is about no port.
  const asked =
    transport === 'node:dns'
      ? { ...options, allowHosts: options.allowHosts.map((one) => one.replace(/:\d+$/, '')) }
      : options
  // URL leaves the usual port out, and patterns with a port need it.
  return isClosedTo({ hostname: url.hostname, host: `${url.hostname}:${port}` }, asked)
}

/**
 * The error of a connection to another machine, where the option `network` closes this one.
 *
 * @param where where it was made, unless the tests run there
 */
export function closedConnection(connection: Connection, where?: string): CassetteError {
  const { host, port, transport } = connection
  const isQuestion = transport === 'node:dns'
  const isDatagram = transport === 'node:dgram'
  const what = isQuestion
    ? `A question to a name server for ${host} by node:dns${where ? ` ${where}` : ''}`
    : describeConnection(connection, where).replace(
        'A connection',
        isDatagram ? 'A datagram' : 'A connection',
      )
  const pattern = isQuestion ? host : `${hostInUrl(host)}:${port}`
  return new CassetteError(
    'refused',
    `${what} is refused: the option network is 'closed', and nothing is sent.\n` +
      'Only HTTP and WebSockets can be recorded, by the option hosts. Put a fake, or a server on this machine, in its place, ' +
      `or let it out: cassettes({ allowHosts: ['${pattern}'] }).`,
  )
}
