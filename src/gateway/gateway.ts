import { randomUUID } from 'node:crypto'
import dns from 'node:dns'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { networkInterfaces } from 'node:os'
import { isIP, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { CassetteError } from '../errors.ts'
import type { Attempt } from '../host/attempt.ts'
import type { Layers } from '../intercept/answer/layers.ts'
import { refuse } from '../intercept/call/refuse.ts'
import { runThrough, type OwnProxies } from '../intercept/patch/own-proxies.ts'
import { readAddress, type Asked } from '../intercept/redirect/address.ts'
import type { Started } from '../intercept/redirect/environment.ts'
import { pickProxies, readProxies } from '../intercept/redirect/proxies.ts'
import { Door } from './door.ts'
import { writeResponse } from './http-exchange.ts'
import { forward } from './forward.ts'
import { Speaker } from './speaker.ts'
import { openTunnel } from './tunnel.ts'

/** What a gateway is opened with. */
export interface GatewayOptions {
  layers: Layers
  /** 0 for any that is free. */
  port?: number
  /** Does not keep this process from ending. */
  isBackground?: boolean
}

/** Who asks the gateway for what. */
interface Found {
  door: Door
  asked: Asked
  /** The proxies by which it is asked in turn. */
  own: OwnProxies
  /** It asks for any address in the world. */
  isProxied?: boolean
}

/**
 * A server on the loopback interface that answers LLM calls of other processes, each by the cassette of the attempt
 * that its address names. It is open at once: whoever starts a process has to name its address there and then.
 */
export class Gateway {
  /** Ends when it listens. @throws CassetteError `refused` where it may not. */
  readonly ready: Promise<void>
  readonly #server: Server
  readonly #layers: Layers
  readonly #doors = new Map<string, Door>()
  readonly #speaker: Speaker
  /** What servers forget when a tunnel begins. */
  readonly #tunnels = new Set<Duplex>()
  /** Where all goes whose address names nobody, where the gateway stands for one server. */
  #upstream?: string

  constructor({ layers, port = 0, isBackground = false }: GatewayOptions) {
    this.#layers = layers
    // Whoever streams may take as long as a model does.
    const settings = { maxHeaderSize: 2 ** 20, requestTimeout: 0, keepAliveTimeout: 60_000 }
    this.#server = createServer(settings, (incoming, outgoing) => {
      void this.#answer(incoming, outgoing).catch(() => outgoing.destroy())
    })
    this.#speaker = new Speaker(this.#server)
    this.#server.on('upgrade', (...args) => this.#answerSocket(...args))
    this.#server.on('connect', (...args) => this.#openTunnel(...args))
    this.ready = new Promise((resolve, reject) => {
      this.#server.once('listening', resolve)
      this.#server.on('error', (error) => reject(notOpened(error, port)))
    })
    this.ready.catch(() => {})
    listenAtOnce(this.#server, port)
    if (isBackground) this.#server.unref()
  }

  /** Where it listens; `undefined` where it may not. */
  get origin(): string | undefined {
    const bound = this.#server.address() as AddressInfo | null
    if (!bound) return undefined
    const { address, family, port } = bound
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  }

  /** The certificate, as PEM, by which programs believe that it is the host that they ask. */
  get authority(): string {
    return this.#speaker.authority.pem
  }

  /**
   * Lets the requests of an attempt in, and gives what their addresses begin with.
   *
   * @param token tells apart who asks
   * @param started the program that is told of them
   */
  admit(attempt: Attempt, token: string = randomUUID(), started?: Started): string {
    const base = token === '' ? this.origin! : `${this.origin}/${token}`
    this.#doors.set(token, new Door(attempt, base, this.#layers, started))
    return base
  }

  /** Forgets who asks by a base that {@link admit} gave. */
  dismiss(base: string): void {
    const token = base.slice(this.origin!.length + 1)
    this.#doors.delete(token)
  }

  /** Stands for one server, at its own address: whatever path is asked is that server's. */
  standFor(upstream: string): void {
    this.#upstream = upstream.replace(/\/$/, '')
  }

  /** Answers nothing any more. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    for (const tunnel of this.#tunnels) tunnel.destroy()
    await closed
  }

  #find(incoming: IncomingMessage): Found | undefined {
    const { url = '/' } = incoming
    const within = this.#speaker.tunnelOf(incoming)
    if (within) {
      const { door, origin, own } = within
      return { door, own, asked: { token: '', url: origin + url, isCaught: true } }
    }
    if (/^http:\/\//i.test(url)) {
      const proxied = this.#findByProxy(incoming)
      return proxied && { ...proxied, asked: { token: '', url, isCaught: true }, isProxied: true }
    }
    const asked =
      this.#upstream === undefined
        ? readAddress(url)
        : { token: '', url: this.#upstream + url, isCaught: false }
    const door = asked && this.#doors.get(asked.token)
    // Node asks no proxy unless it is told to.
    return door && { door, asked, own: asked.isCaught ? {} : pickProxies(process.env) }
  }

  /** Whose the proxy is that a program was told, and which ones it would have asked. */
  #findByProxy({ headers }: IncomingMessage): Pick<Found, 'door' | 'own'> | undefined {
    const [, encoded = ''] = /^Basic (.+)$/i.exec(headers['proxy-authorization'] ?? '') ?? []
    const [token = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
    const known = this.#doors.get(token)
    if (known) return { door: known, own: readProxies(password) }
    // Browsers know no user of a proxy: who started something last answers for them.
    const last = [...this.#doors.values()].at(-1)
    return last && { door: last, own: pickProxies(process.env) }
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const found = this.#find(incoming)
    if (!found) {
      const refusal = refuse(new URL(incoming.url ?? '/', this.origin).href, this.#explain())
      return writeResponse(refusal, outgoing)
    }
    const { door, asked, own, isProxied } = found
    if (isProxied && !door.isFor(incoming.method ?? 'GET', asked.url))
      return forward(incoming, outgoing, asked.url, own)
    await runThrough(own, () => door.answer(incoming, outgoing, asked))
  }

  #answerSocket(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const found = this.#find(incoming)
    if (!found) return void socket.destroy()
    const { door, asked, own } = found
    runThrough(own, () => door.answerSocket(incoming, socket, head, asked))
  }

  #openTunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { url: authority = '' } = incoming
    const found = this.#findByProxy(incoming)
    if (!found || !URL.canParse(`https://${authority}`)) return void socket.destroy()
    this.#tunnels.add(socket)
    socket.on('error', () => {}).once('close', () => this.#tunnels.delete(socket))
    const { door, own } = found
    if (door.isTunnelFor(authority)) this.#speaker.speakFor(authority, socket, head, door, own)
    else void openTunnel(authority, socket, head, own)
  }

  #explain(): string {
    return (
      'This is the gateway of vitest-cassette, and this address names nobody: whoever it was given out for has ended, ' +
      'or it was written by hand.\n' +
      `An address is ${this.origin}, what a program was told beside it, and then whom it asks: /https/api.openai.com/v1`
    )
  }
}

/**
 * Begins to listen before this returns. Node looks up even what is no name, for which nobody can wait where a process
 * is about to be started.
 */
function listenAtOnce(server: Server, port: number): void {
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

/** As Node asks it in all its releases: for one address, or for all. */
function lookUpNumber(address: string, ...rest: unknown[]): void {
  const done = rest.at(-1) as (error: null, found: unknown, family?: number) => void
  const family = isIP(address)
  const [options] = rest as [{ all?: boolean }]
  if (options.all) done(null, [{ address, family }])
  else done(null, address, family)
}

function notOpened({ message, code }: NodeJS.ErrnoException, port: number): CassetteError {
  const wayOut =
    code === 'EADDRINUSE'
      ? `Another program listens on port ${port}: name another with --port, or leave it out.`
      : 'What programs ask that are started here is not answered: their base URLs lead nowhere, and what they ask past them is neither recorded nor refused. Let this process listen on the loopback interface.'
  return new CassetteError(
    'refused',
    `The gateway for other programs could not be opened: ${message}.\n${wayOut}`,
  )
}
