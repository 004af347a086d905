/** What the system says of this machine. */
export type System = Pick<typeof import('node:os'), 'hostname' | 'networkInterfaces'>

/** The part of a URL that names a machine. */
export type HostName = Pick<URL, 'host' | 'hostname'>

/**
 * Whether an address is that of an interface of this machine, or its own name. Judged by what is written, as no name may
 * be looked up: `host.docker.internal` and names of a hosts file are other machines.
 */
export function isOfInterface(url: HostName, { hostname, networkInterfaces }: System): boolean {
  const host = spell(url.hostname)
  if (host === hostname().toLowerCase()) return true
  const own = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  return own.some(({ address }) => spell(address) === host)
}

/** One spelling for each address: without brackets, zone and final dot, and IPv4 inside of IPv6 as IPv4. */
function spell(host: string): string {
  const plain = host.toLowerCase().replace(/^\[|\]$|%.*$|\.$/g, '')
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(plain) ?? []
  if (high === undefined || low === undefined) return plain
  return [high, low]
    .flatMap((half) => [parseInt(half, 16) >> 8, parseInt(half, 16) & 255])
    .join('.')
}
