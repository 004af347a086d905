import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { serveHttp2 } from '../intercept/http/http2-server.ts'
import { builtin } from '../intercept/patch/builtin.ts'
import { hostToDial } from '../intercept/patch/dial.ts'
import { runThrough, type OwnProxies } from '../intercept/patch/own-proxies.ts'
import { Authority } from './authority.ts'
import type { Door } from './door.ts'

/** A tunnel: its attempt, and its origin. */
export interface Within {
  door: Door
  /** `https://api.openai.com` */
  origin: string
  own: OwnProxies
}

/** The errors of TLS for a client that does not trust a certificate. */
const NOT_BELIEVED =
  /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_|UNSUPPORTED_CERT|ACCESS_DENIED)/

/** The first byte of a TLS client. */
const HANDSHAKE = 0x16

/** Answers in the place of the hosts to which programs open tunnels. */
export class Speaker {
  readonly #server: Server
  readonly #within = new WeakMap<object, Within>()
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
  tunnelOf(socket: object): Within | undefined {
    return this.#within.get(socket)
  }

  /** Answers in the place of a host and its port. */
  speakFor(authority: string, client: Duplex, head: Buffer, door: Door, own: OwnProxies): void {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) client.unshift(head)
    client.once('readable', () => {
      const first = client.read() as Buffer | null
      if (first === null) return void client.destroy()
      client.unshift(first)
      const address = new URL(`https://${authority}`)
      if (first[0] === HANDSHAKE)
        this.#secure(hostToDial(address), client, {
          door,
          origin: `https://${address.host}`,
          own,
        })
      else this.#serve(client, { door, origin: new URL(`http://${authority}`).origin, own })
    })
  }

  #secure(host: string, client: Duplex, within: Within): void {
    const server = builtin('node:tls').createServer({
      ...this.authority.credentialsFor(host),
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: (name, done) =>
        done(null, name === host ? undefined : this.authority.contextFor(name)),
    })
    server.on('tlsClientError', ({ code = '', message }: NodeJS.ErrnoException) => {
      if (NOT_BELIEVED.test(code)) within.door.notBelieved(within.origin, message)
    })
    server.on('secureConnection', (secure) => {
      secure.on('error', () => {})
      if (secure.alpnProtocol !== 'h2') return this.#serve(secure, within)
      const { door, origin, own } = within
      serveHttp2(secure, new URL(origin), (request) =>
        runThrough(own, () => door.answerRequest(request, true)),
      )
    })
    server.emit('connection', client)
  }

  #serve(connection: Duplex, within: Within): void {
    this.#within.set(connection, within)
    this.#server.emit('connection', connection)
  }
}
