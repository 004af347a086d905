import dns from 'node:dns'
import type { Server } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { CassetteError } from '../../errors.ts'

/**
 * Listens before this returns. Node looks up even an IP address asynchronously, and code that starts a process cannot
 * wait for that.
 */
export function listenAtOnce(server: Server, port: number): void {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const hasIPv4 = addresses.some(({ family, internal }) => internal && family === 'IPv4')
  const { lookup } = dns
  dns.lookup = lookUpNumber as typeof lookup
  try {
    server.listen({ port, host: hasIPv4 ? '127.0.0.1' : '::1', exclusive: true })
  } finally {
    dns.lookup = lookup
  }
}

/** Answers in both forms that the releases of Node use: one address, or all. */
function lookUpNumber(address: string, ...rest: unknown[]): void {
  const done = rest.at(-1) as (error: null, found: unknown, family?: number) => void
  const family = isIP(address)
  const [options] = rest as [{ all?: boolean }]
  if (options.all) done(null, [{ address, family }])
  else done(null, address, family)
}

/** The error of a port that could not be opened. */
export function notOpened({ message, code }: NodeJS.ErrnoException, port: number): CassetteError {
  const wayOut =
    code === 'EADDRINUSE'
      ? `Another program listens on port ${port}: name another with --port, or leave it out.`
      : 'Requests of programs started here are not answered: their base URLs lead nowhere, and requests that bypass these are neither recorded nor refused. Let this process listen on the loopback interface.'
  return new CassetteError(
    'refused',
    `The gateway for other programs could not be opened: ${message}.\n${wayOut}`,
  )
}
