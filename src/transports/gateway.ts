import { say } from '../attempt/say.ts'
import { web } from '../real/web.ts'
import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { Attempt } from '../attempt/attempt.ts'
import type { Layers } from './layers.ts'
import { withWholeTarget } from './intercept/call/whole-target.ts'
import { refuse, REFUSAL_MARK } from './refuse.ts'
import { serveHttp2 } from './intercept/http/http2-server.ts'
import { noteGateway } from './intercept/context/own-servers.ts'
import { runThrough, type OwnProxies } from './intercept/patch/own-proxies.ts'
import { pathAt, readAddress, type GatewayAddress } from './address.ts'
import { pickProxies, readCredentials, type Started } from './child-environment.ts'
import {
  declineUpgrade,
  listenAtOnce,
  notOpened,
  originOfServer,
  takeHttp2,
} from './gateway/node-server.ts'
import { type DirectConnection, readDirect } from './gateway/direct-connections.ts'
import { Endpoint } from './gateway/endpoint.ts'
import { readRequest, writeResponse } from './gateway/http-exchange.ts'
import { forward, openTunnel } from './gateway/forward.ts'
import { TunnelServer } from './gateway/tunnel-server.ts'
import { isLoopback } from '../providers/providers.ts'

export interface GatewayOptions {
  layers: Layers
  /** 0 for any free port. */
  port?: number
  /** Does not keep this process from ending. */
  isBackground?: boolean
  /**
   * For programs that others start, at an address that lasts: the web pages that may ask, by origin. Then nobody else's
   * page is answered, nor anyone without a token, and no tunnel leads to what is no model.
   */
  pages?: readonly string[]
}

/** A request as it arrives, over any version of HTTP. */
type Arrived = Pick<IncomingMessage, 'url' | 'method' | 'headers'> & { socket: object }

/** A request to the gateway, with the attempt that it belongs to. */
interface Found {
  endpoint: Endpoint
  asked: GatewayAddress
  /** The proxies of the user, through which the gateway sends in turn. */
  own: OwnProxies
  /** Whether it came as to a proxy, for any address; then its host is the one that is meant. */
  isProxied?: boolean
  /** Set where others can know the address at which it came, so that it is told who may ask for what. */
  isGuarded?: boolean
}

/**
 * A server on the loopback interface that answers LLM calls of other processes, each by the cassette of the attempt
 * that its address names. It listens when the constructor returns, since code that starts a process has to name the
 * address synchronously.
 */
export class Gateway {
  /** Settles when it listens. @throws CassetteError `refused` where it may not */
  readonly ready: Promise<void>
  readonly #server: Server
  readonly #layers: Layers
  readonly #pages: readonly string[] | undefined
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #tunnelServer: TunnelServer
  /** All connections: `http.Server` closes neither tunnels nor those on which nothing was said. */
  readonly #connections = new Set<Duplex>()
  /** The server for addresses without a token, where the gateway stands for one server. */
  #upstream?: string

  constructor({ layers, port = 0, isBackground = false, pages }: GatewayOptions) {
    this.#layers = layers
    this.#pages = pages
    // A stream can take as long as a model does.
    const settings = { maxHeaderSize: 2 ** 20, requestTimeout: 0, keepAliveTimeout: 60_000 }
    this.#server = createServer(settings, (incoming, outgoing) => {
      void this.#answer(incoming, outgoing).catch(() => outgoing.destroy())
    })
    takeHttp2(this.#server, (connection) => this.#serveHttp2(connection))
    this.#server.on('connection', (connection: Duplex) => {
      this.#connections.add(connection)
      connection.once('close', () => this.#connections.delete(connection))
    })
    this.#tunnelServer = new TunnelServer(this.#server)
    this.#server.on('upgrade', (...args) => this.#answerSocket(...args))
    this.#server.on('connect', (...args) => this.#openTunnel(...args))
    this.ready = new Promise((resolve, reject) => {
      this.#server.once('listening', resolve)
      this.#server.on('error', (error) => reject(notOpened(error, port)))
    })
    this.ready.catch(() => {})
    listenAtOnce(this.#server, port)
    if (this.origin !== undefined) this.#server.once('close', noteGateway(this.origin))
    if (isBackground) this.#server.unref()
  }

  /** The origin at which it listens; `undefined` where it may not. */
  get origin(): string | undefined {
    return originOfServer(this.#server)
  }

  /** The certificate, as PEM, with which programs trust it in the place of a host. */
  get authority(): string {
    return this.#tunnelServer.authority.pem
  }

  /**
   * Takes requests for an attempt, and returns the first part of their addresses.
   *
   * @param token identifies the attempt
   * @param started the program that gets the addresses
   */
  admit(attempt: Attempt, token: string = randomUUID(), started?: Started): string {
    const base = token === '' ? this.origin! : `${this.origin}/${token}`
    this.#endpoints.set(token, new Endpoint(attempt, base, this.#layers, started))
    return base
  }

  /** Takes no more requests at a base that {@link admit} returned. */
  dismiss(base: string): void {
    const token = base.slice(this.origin!.length + 1)
    this.#endpoints.delete(token)
  }

  /** Stands for one server: every path without a token is a path of that server. */
  standFor(upstream: string): void {
    this.#upstream = upstream.replace(/\/$/, '')
  }

  /** Closes the gateway. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    for (const connection of this.#connections) connection.destroy()
    await closed
  }

  #find(incoming: Arrived): Found | undefined {
    const url = withWholeTarget(pathAt(this.origin, incoming.url ?? '/'))
    const tunnel = this.#tunnelServer.tunnelOf(incoming.socket)
    if (tunnel) {
      const { endpoint, origin, own } = tunnel
      return { endpoint, own, asked: { token: '', url: origin + url, isCaught: true } }
    }
    if (/^http:\/\//i.test(url)) {
      const proxied = this.#findByProxy(incoming)
      const asked = { token: '', url, isCaught: true }
      return proxied && { ...proxied, asked, isProxied: true, isGuarded: !!this.#pages }
    }
    const asked =
      this.#upstream === undefined
        ? this.#innermost(url)
        : { token: '', url: this.#upstream + url, isCaught: false }
    const endpoint = asked && this.#endpoints.get(asked.token)
    if (!endpoint) return undefined
    const isGuarded = asked.token === '' || this.#pages !== undefined
    // A Node program uses a proxy only where it is configured to.
    return { endpoint, asked, own: asked.isCaught ? {} : pickProxies(process.env), isGuarded }
  }

  /** Reads an address. If it leads to another address of the gateway, reads that one. */
  #innermost(path: string): GatewayAddress | undefined {
    const asked = readAddress(path)
    const { origin } = this
    const inner = asked && pathAt(origin, asked.url)
    return inner === asked?.url ? asked : (this.#innermost(inner!) ?? asked)
  }

  /** Finds the attempt by the proxy credentials of a request, with the proxies of the user. */
  #findByProxy({ headers }: Arrived): Pick<Found, 'endpoint' | 'own'> | undefined {
    const { token, own } = readCredentials(headers['proxy-authorization'])
    const known = token === '' ? undefined : this.#endpoints.get(token)
    if (known) return { endpoint: known, own }
    if (this.#pages) return undefined
    // Browsers send no proxy credentials: the attempt that started a program last answers them.
    const last = [...this.#endpoints.values()].at(-1)
    return last && { endpoint: last, own: pickProxies(process.env) }
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const direct = readDirect(incoming.url ?? '/')
    if (direct) return this.#judgeDirect(direct, outgoing)
    const found = this.#take(incoming)
    if ('refusal' in found) return writeResponse(found.refusal, outgoing)
    const { endpoint, asked, own, isProxied } = found
    if (isProxied && !endpoint.isFor(incoming.method ?? 'GET', asked.url)) {
      outgoing.once('finish', () => {
        if (outgoing.statusCode === 502) endpoint.noteUnreached(asked.url)
      })
      return forward(incoming, outgoing, asked.url, own)
    }
    const response = await runThrough(own, async () =>
      endpoint.answer(await readRequest(incoming, outgoing), asked),
    )
    await writeResponse(response, outgoing)
  }

  /** Tells the guard of a program whether it may send something past this gateway. */
  #judgeDirect(direct: DirectConnection, outgoing: ServerResponse): void {
    const why = this.#endpoints.get(direct.token)?.refuseDirect(direct)
    outgoing.writeHead(why === undefined ? 204 : 403)
    outgoing.end(why === undefined ? undefined : `${REFUSAL_MARK} ${why}`)
  }

  #serveHttp2(socket: Duplex): void {
    const { origin } = new URL(this.origin!)
    serveHttp2(socket, new URL(origin), async (request) => {
      const { method, headers, signal } = request
      const url = request.url.slice(origin.length)
      const found = this.#take({ url, method, headers: Object.fromEntries(headers), socket })
      if ('refusal' in found) return found.refusal
      return runThrough(found.own, async () => {
        const content = Buffer.from(await request.arrayBuffer())
        return found.endpoint.answer({ method, headers, content, signal }, found.asked)
      })
    })
  }

  #answerSocket(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!/^websocket$/i.test(incoming.headers.upgrade ?? ''))
      return declineUpgrade(this.#server, incoming, socket, head)
    const found = this.#take(incoming)
    if ('refusal' in found) return void socket.destroy()
    runThrough(found.own, () => found.endpoint.answerSocket(incoming, socket, head, found.asked))
  }

  #openTunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { url: authority = '', headers } = incoming
    const found = this.#findByProxy(incoming)
    if (!found || !URL.canParse(`https://${authority}`)) return void socket.destroy()
    socket.on('error', () => {})
    const { endpoint, own } = found
    const isAnswered = endpoint.isTunnelFor(authority)
    if (isAnswered && endpoint.refusesOwn(authority))
      return void socket.end(`HTTP/1.1 403 Refused by vitest-cassette\r\n\r\n`)
    if (isAnswered) return this.#tunnelServer.serveTunnel(authority, socket, head, endpoint, own)
    void openTunnel(authority, socket, head, own).then((isOpen) => {
      if (isOpen) endpoint.notePassed(authority, headers['user-agent'])
    })
  }

  /** Finds the attempt of a request, or refuses it. */
  #take(incoming: Arrived): Found | { refusal: Response } {
    const found = this.#find(incoming)
    if (!found) {
      const { href } = new URL(incoming.url ?? '/', this.origin)
      const text =
        'This is the gateway of vitest-cassette, and this address belongs to no program: its program has ended, ' +
        'or it was written by hand.\n' +
        `An address is ${this.origin}, then the path that the program was given, and then the provider: /https/api.openai.com/v1`
      return { refusal: refuse(href, text, web) }
    }
    const why = found.isGuarded ? this.#whyRefused(found, incoming) : undefined
    return why === undefined ? found : { refusal: refuse(found.asked.url, why, web) }
  }

  #whyRefused(
    { endpoint, asked, isProxied }: Found,
    { method = 'GET', headers }: Arrived,
  ): string | undefined {
    const foreign = refuseForeignPage(headers, this.#pages ?? [], isProxied)
    // Who knows the token as that of its proxy is a program, which asks other servers too.
    return this.#upstream || isProxied
      ? foreign
      : (foreign ?? endpoint.refuseOther(method, asked.url))
  }
}

/** The refusals printed so far: each is printed once. */
const said = new Set<string>()

/**
 * Refuses a request that may come from a web page that somebody else made, and says so.
 *
 * @param origins of the pages that may ask
 * @param isProxied whether it was sent as to a proxy: then its host is the one that is meant
 * @returns the reason
 */
function refuseForeignPage(
  headers: IncomingHttpHeaders,
  origins: readonly string[],
  isProxied: boolean = false,
): string | undefined {
  const why = whyForeign(isProxied ? { ...headers, host: undefined } : headers, origins)
  if (why !== undefined && !said.has(why)) say(`[vitest-cassette] ${why}`)
  if (why !== undefined) said.add(why)
  return why
}

/** Every page can send to the loopback interface, under a name of its own too. */
function whyForeign(
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  origins: readonly string[],
): string | undefined {
  if (host !== undefined && !isOfThisMachine(host))
    return `A request asked for the host ${host}, which is no name of this machine. It is not answered: a web page may have sent it.`
  if (origin !== undefined && origins.includes(origin)) return undefined
  // Browsers name the origin, but of pictures and links.
  if (origin === undefined && (site === undefined || site === 'none' || site === 'same-origin'))
    return undefined
  return `A web page${origin === undefined ? '' : ` of ${origin}`} sent a request, which is not answered.`
}

function isOfThisMachine(host: string): boolean {
  // Nothing but a name and a port: of `evil.example@127.0.0.1`, others read the first half.
  return (
    !/[@/?#\\]/.test(host) &&
    URL.canParse(`http://${host}`) &&
    isLoopback(new URL(`http://${host}`))
  )
}
