import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { builtin } from '../../real/builtin.ts'
import { hostToDial } from '../intercept/patch/dial.ts'
import type { OwnProxies } from '../intercept/patch/own-proxies.ts'
import { Authority } from './authority.ts'
import type { Endpoint } from './endpoint.ts'

/** A tunnel that is served here. */
export interface Tunnel {
  endpoint: Endpoint
  /** `https://api.openai.com` */
  origin: string
  own: OwnProxies
}

/** The errors of TLS for a client that does not trust a certificate. */
const UNTRUSTED = /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_|UNSUPPORTED_CERT|ACCESS_DENIED)/

/** The first byte of a TLS client. */
const HANDSHAKE = 0x16

/** Serves tunnels of programs in the place of the hosts to which they lead. */
export class TunnelServer {
  readonly #server: Server
  readonly #tunnels = new WeakMap<object, Tunnel>()
  #authority?: Authority

  /** @param server answers the requests in tunnels */
  constructor(server: Server) {
    this.#server = server
  }

  /** The authority that signs for it, made at its first use. */
  get authority(): Authority {
    return (this.#authority ??= new Authority())
  }

  /** The tunnel that a connection is; `undefined` for all others. */
  tunnelOf(socket: object): Tunnel | undefined {
    return this.#tunnels.get(socket)
  }

  /** Serves a tunnel to a host and its port, with TLS or without. */
  serveTunnel(
    authority: string,
    client: Duplex,
    head: Buffer,
    endpoint: Endpoint,
    own: OwnProxies,
  ): void {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) client.unshift(head)
    client.once('readable', () => {
      const first = client.read() as Buffer | null
      if (first === null) return void client.destroy()
      client.unshift(first)
      const isSecure = first[0] === HANDSHAKE
      const address = new URL(`${isSecure ? 'https' : 'http'}://${authority}`)
      const tunnel = { endpoint, origin: address.origin, own }
      if (isSecure) this.#secure(hostToDial(address), client, tunnel)
      else this.#serve(client, tunnel)
    })
  }

  #secure(host: string, client: Duplex, tunnel: Tunnel): void {
    const server = builtin('node:tls').createServer({
      ...this.authority.credentialsFor(host),
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: (name, done) =>
        done(null, name === host ? undefined : this.authority.contextFor(name)),
    })
    server.on('tlsClientError', ({ code = '', message }: NodeJS.ErrnoException) => {
      if (UNTRUSTED.test(code)) tunnel.endpoint.failUntrusted(tunnel.origin, message)
    })
    server.on('secureConnection', (secure) => this.#serve(secure, tunnel))
    server.emit('connection', client)
  }

  #serve(connection: Duplex, tunnel: Tunnel): void {
    this.#tunnels.set(connection, tunnel)
    this.#server.emit('connection', connection)
  }
}
