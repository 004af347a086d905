import { web } from '../../real/web.ts'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { matchesHost } from '../../config/hosts.ts'
import { sendsNothing } from '../../config/mode.ts'
import { CassetteError, stackLines, withFrames, STARTED_HERE } from '../../errors.ts'
import { asFailure } from '../../real/real-world.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import { answer, isLlmSocketInScope, judgeInScope } from '../answer.ts'
import { judgeUrl, sideRequestIn, type LlmCall } from '../intercept/call/judge-address.ts'
import type { Layers } from '../layers.ts'
import { writeInTurns } from '../intercept/answer/write-in-turns.ts'
import { meantMethod, openToPages } from '../intercept/call/preflight.ts'
import { sideRequestOf } from '../intercept/call/side-request.ts'
import { isOwnServer } from '../intercept/context/own-servers.ts'
import { refuse } from '../refuse.ts'
import { readWhole } from '../intercept/call/whole-request.ts'
import { noteTunnel } from '../reports.ts'
import { closeWhenAnswered } from '../open-requests.ts'
import { closed, contextOfArrival } from '../intercept/context/request-context.ts'
import { runInScope } from '../scope.ts'
import { tunnelTo } from '../intercept/guard/guard-policy.ts'
import { noteTold, TOLD_HEADER } from '../../secrets/told-values.ts'
import { handshakeOf } from '../intercept/websocket/socket-server.ts'
import { dial, passOn } from '../intercept/websocket/socket-upstream.ts'
import { HOST_HEADER } from '../intercept/http/headers.ts'
import { LEADING_HEADERS } from '../../wire/headers.ts'
import { addressAt, type GatewayAddress } from '../address.ts'
import { namedHosts, type Started, THREAD } from '../child-environment.ts'
import { type ArrivedRequest, meantHost, meantRequest } from './http-exchange.ts'
import {
  type DirectConnection,
  isDirectRefused,
  isNamedDirect,
  refusedDirect,
} from './direct-connections.ts'
import { isAnsweredTunnel, isNamedTunnel } from './tunnel-rules.ts'

/** Takes the requests of one attempt at the gateway. The engine answers them as it answers those of this process. */
export class Endpoint {
  readonly #attempt: Attempt
  readonly #base: string
  readonly #layers: Layers
  readonly #program: string | undefined
  readonly #command: string | undefined
  readonly #callSite: Error

  /**
   * @param base the first part of the addresses that lead here
   * @param started the program that got them, where one did
   */
  constructor(attempt: Attempt, base: string, layers: Layers, started?: Started) {
    this.#attempt = attempt
    this.#base = base
    this.#layers = layers
    this.#program = started?.program
    this.#command = started?.command
    this.#callSite = started?.callSite ?? new Error(STARTED_HERE)
  }

  /** Whether a request that a program sends through a proxy is answered here. */
  isFor(method: string, url: string): boolean {
    const { config } = this.#attempt
    if (config.mode === 'off') return false
    if (judgeInScope(method, url, this.#attempt, config) !== 'no') return true
    if (sendsNothing(config.mode) && sideRequestIn(new URL(url), config)) return true
    return !!closed.isOutside?.(tunnelTo(new URL(url).host), config)
  }

  /**
   * Refuses a request of a program that anybody may have started, where no model answers that the options or the
   * variables for base URLs name. Fails the attempt.
   *
   * @returns the reason
   */
  refuseOther(method: string, url: string): string | undefined {
    const { config } = this.#attempt
    const address = new URL(url)
    const isMeant =
      judgeInScope(method === 'OPTIONS' ? 'POST' : method, url, this.#attempt, config) !== 'no' ||
      isLlmSocketInScope(address, this.#attempt, config) ||
      matchesHost(address, config.allowHosts) ||
      namedHosts(process.env).has(address.host)
    if (isMeant) return undefined
    const error = new CassetteError(
      'refused',
      `${method} ${address.origin}${address.pathname} is no LLM call, so it was not sent\n` +
        `If a model answers there, name the host: --hosts ${address.host}`,
    )
    this.#attempt.reject(error)
    return error.message
  }

  /** Whether a tunnel to a host and its port is answered here. */
  isTunnelFor(authority: string): boolean {
    return isAnsweredTunnel(authority, this.#attempt)
  }

  /**
   * Refuses a tunnel that a client of this process itself requests, which are Bun's own: they trust no certificate that
   * comes after their start. Fails the attempt.
   */
  refusesOwn(authority: string): boolean {
    const isHere = this.#program === undefined || this.#program === THREAD
    if (process.versions.bun === undefined || !isHere) return false
    this.#attempt.reject(untrustedInBun(authority))
    return true
  }

  /** Notes a tunnel that leads to its host, into which nobody here can see. */
  notePassed(authority: string, agent?: string): void {
    if (isNamedTunnel(authority, this.#attempt, agent))
      noteTunnel(authority, this.#program ?? 'a program')
  }

  /**
   * Refuses what a program sends past the gateway to a model, which fails the attempt, or notes where else it leads.
   *
   * @returns the reason
   */
  refuseDirect(direct: DirectConnection): string | undefined {
    if (!isDirectRefused(direct, this.#attempt)) {
      if (isNamedDirect(direct, this.#attempt))
        noteTunnel(direct.authority.replace(/:443$/, ''), this.#program ?? 'a program')
      return undefined
    }
    const error = refusedDirect(direct, this.#attempt)
    this.#attempt.reject(withFrames(error, stackLines(this.#callSite)))
    return error.message
  }

  /** Notes a server, which is no model, that its program could not reach: what it asks a model next may differ for that. */
  noteUnreached(url: string): void {
    if (this.#command === undefined) return
    const { session } = this.#attempt
    session.unreached = (session.unreached ?? new Map()).set(new URL(url).host, this.#command)
  }

  async answer(arrived: ArrivedRequest, { url, isCaught }: GatewayAddress): Promise<Response> {
    noteTold(arrived.headers.get(TOLD_HEADER) ?? undefined)
    arrived.headers.delete(TOLD_HEADER)
    const response = await this.#answerMeant(meantRequest(arrived, url, this.#base), isCaught)
    const origin = arrived.headers.get('origin')
    if (origin !== null) openToPages(response, origin)
    return response
  }

  async #answerMeant(request: Request, isCaught: boolean): Promise<Response> {
    try {
      return await runInScope(this.#attempt, () => this.#ask(request, isCaught))
    } catch (error) {
      return this.#refuse(request.url, error as Error)
    }
  }

  async #ask(request: Request, isCaught: boolean): Promise<Response> {
    const address = `${request.method} ${request.url}`
    const context = {
      ...contextOfArrival(this.#attempt, address, this.#callSite, this.#command),
      judged: isCaught ? undefined : judgeAtModel(request, this.#attempt),
    }
    const answering = answer(request.clone(), context, this.#attempt.config, this.#layers)
    const answered = await closeWhenAnswered(context.open, answering)
    const response = answered ?? (await this.#send(request))
    const led = isCaught ? response : this.#leadBack(response, request.url)
    return (await writeInTurns(led))!
  }

  /** Sends a request on that is no LLM call. Where that fails, the program gets the error. */
  async #send(request: Request): Promise<Response> {
    const whole = await readWhole(request)
    return this.#layers
      .engine()
      .sendUpstream(whole)
      .catch(() => web.Response.error())
  }

  /** Accepts a WebSocket, refuses it, or passes it on where it holds no conversation with a model. */
  answerSocket(
    incoming: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { url, isCaught }: GatewayAddress,
  ): void {
    socket.on('error', () => {})
    noteTold(incoming.headers[TOLD_HEADER] as string | undefined)
    const named = new web.Headers(incoming.headers as Record<string, string>)
    const host = meantHost(named, this.#base)
    if (host === undefined) delete incoming.headers.host
    else incoming.headers.host = host
    delete incoming.headers[HOST_HEADER]
    delete incoming.headers[TOLD_HEADER]
    const handshake = handshakeOf(url.replace(/^http/, 'ws'), incoming, socket, head)
    if (isCaught && !isLlmSocketInScope(new URL(url), this.#attempt, this.#attempt.config))
      return void runInScope('upstream', () => passOn(handshake, dial(handshake)))
    const context = contextOfArrival(this.#attempt, `GET ${url}`, this.#callSite, this.#command)
    void runInScope(this.#attempt, () => this.#layers.sockets().answerSocket(handshake, context))
  }

  /** Fails the attempt for a program that broke off, since it does not trust the certificate of the gateway. */
  failUntrusted(origin: string, why: string): void {
    const error = untrustedCertificate(origin, why, this.#program)
    this.#attempt.reject(withFrames(error, stackLines(this.#callSite)))
  }

  /** Makes a redirect lead the client back to the gateway. */
  #leadBack(response: Response, asked: string): Response {
    if (response.type === 'error') return response
    for (const name of LEADING_HEADERS) {
      const address = response.headers.get(name)
      if (address === null || !URL.canParse(address, asked)) continue
      const { href } = new URL(address, asked)
      if (/^https?:/.test(href)) response.headers.set(name, addressAt(this.#base, href))
    }
    return response
  }

  /** Fails the attempt for an error of this package, since the program may swallow it. */
  #refuse(url: string, error: Error): Response {
    const known = asFailure(error)
    this.#attempt.reject(known)
    return refuse(url, known.message, web)
  }
}

/** Judges a request to an address that `baseUrl()` gave out in the place of a model's. Host and path do not matter. */
function judgeAtModel(request: Request, attempt: Attempt): LlmCall {
  const { config } = attempt
  const { url } = request
  const address = new URL(url)
  const method = meantMethod(request)
  const isOther =
    matchesHost(address, config.allowHosts) ||
    sideRequestOf(address) !== undefined ||
    judgeUrl(method, url, config) === 'mcp'
  if (isOther) return judgeInScope(method, url, attempt, config)
  return isOwnServer(url, config.hosts) ? 'no' : 'certain'
}

/**
 * The error of a program that does not trust the certificate of the gateway.
 *
 * @param why the message of TLS
 */
function untrustedCertificate(
  origin: string,
  why: string,
  program: string = 'a program',
): CassetteError {
  const { host, hostname } = new URL(origin)
  return new CassetteError(
    'refused',
    `${program}, or what it started, asked ${host}, and did not trust the certificate of vitest-cassette (${why.trim()}): its requests can be neither recorded nor replayed.\n` +
      'Let it read the certificates in the file that SSL_CERT_FILE in its environment names, or give it its base URL by ' +
      `an option or a file of its own: cassette.baseUrl('${origin}/…') needs no certificate; or, if it is no LLM call, add '${hostname}' to the option allowHosts.`,
  )
}

/** The error of a client of Bun that only a proxy leads to the gateway. */
function untrustedInBun(authority: string): CassetteError {
  const host = authority.replace(/:443$/, '')
  return new CassetteError(
    'refused',
    `\`Bun.fetch\`, what Bun has in the place of a package such as undici, or a worker thread, asked ${host} over TLS: it can be neither recorded nor replayed, and was not sent.\n` +
      `Use the global \`fetch\`, or, if it is no LLM call, add '${host}' to the option allowHosts.`,
  )
}
