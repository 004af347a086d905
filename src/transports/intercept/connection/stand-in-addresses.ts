import { builtin } from '../../../real/builtin.ts'

/** The answer to a question, in the form in which a function of `node:dns` gives it. */
type Answered = string | string[] | object | object[]

/** A network that is reserved for measurements, and leads nowhere. */
const NETWORK = '198.18'

/**
 * Addresses in the place of those of hosts whose connections are answered here: clients such as gRPC look a name up
 * before they connect, and no such question may leave this machine.
 */
export class StandInAddresses {
  readonly #addresses = new Map<string, string>()
  readonly #hosts = new Map<string, string>()

  /** The host for which an address stands; any other text as it is. */
  hostAt(address: string): string {
    return this.#hosts.get(address.replace(/^::ffff:/, '')) ?? address
  }

  /**
   * Answers a question about a host.
   *
   * @param name the function of `node:dns`
   * @param args its arguments after the host, without the callback
   */
  answer(name: string, host: string, [options]: unknown[]): Answered {
    const address = this.#addressOf(host)
    if (name === 'lookup') {
      const { all = false, family = options } = Object(options ?? {}) as LookupOptions
      const found = [6, 'IPv6'].includes(family as never)
        ? { address: `::ffff:${address}`, family: 6 }
        : { address, family: 4 }
      return all ? [found] : found
    }
    const isOfAddress = name === 'resolve4' || (name === 'resolve' && (options ?? 'A') === 'A')
    if (!isOfAddress) return []
    return Object(options ?? {}).ttl ? [{ address, ttl: 60 }] : [address]
  }

  #addressOf(host: string): string {
    const known = this.#addresses.get(host)
    if (known) return known
    const count = this.#addresses.size + 1
    const address = `${NETWORK}.${count >> 8}.${count & 255}`
    this.#addresses.set(host, address)
    this.#hosts.set(address, host)
    return address
  }
}

interface LookupOptions {
  all?: boolean
  family?: unknown
}

/** Whether a question is about a host by its name. */
export function isNamed(host: unknown): host is string {
  return typeof host === 'string' && host !== '' && builtin('node:net').isIP(host) === 0
}
