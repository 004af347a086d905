import { join } from '../../../real/path.ts'
import { isLoopback, providerOf } from '../../../providers/providers.ts'
import { CassetteError } from '../../../errors.ts'
import { hostInUrl, hostToDial } from '../patch/dial.ts'
import { matchesHost } from '../../../config/hosts.ts'
import { isLlmSocket, judgeAddress, type HostOptions } from '../call/judge-address.ts'
import { sideRequestOf } from '../call/side-request.ts'
import { isOwnServer } from '../context/own-servers.ts'
import type { Redirection } from '../../child-environment.ts'
import type { NamedHeaders } from '../../../wire/message.ts'
import type { WholeRequest } from '../call/whole-request.ts'

/** The file that processes and threads load before anything else. The build puts it beside its other files. */
export const GUARD_FILE: string = join(import.meta.dirname, 'guard.cjs')

/** A connection that is about to be opened, or a request on one that is open. */
export interface Connection {
  host: string
  port: number
  /** The API that opens it: `fetch`, `node:http`, `node:tls`, … */
  transport: string
  /**
   * Calls back if the client sends anything: on a bare socket, at its first write. MSW opens connections that
   * stay silent: a client that still reads after it has aborted its request looks like one that waits for a greeting.
   */
  ifAsked?(then: () => void): void
  /** The address of the request, where the connection is open already. */
  url?: string
  /** Set where the host is only named, on a connection that leads where it leads. */
  isNamed?: boolean
  /** The headers of that request. */
  headers?: ReadonlyMap<string, string>
  /** The request, where it is known. */
  request?: Pick<WholeRequest, 'method' | 'url'> & { headers: NamedHeaders }
}

/** The address of the host and port of a connection. */
export function connectionAddress({ host, port }: Connection): string {
  return `${port === 80 ? 'http' : 'https'}://${hostInUrl(host)}:${port}/`
}

/** The connection of a tunnel to a host and its port. */
export function tunnelTo(authority: string): Connection {
  const address = URL.parse(`https://${authority}`) ?? { hostname: authority, port: '' }
  return { host: hostToDial(address), port: Number(address.port) || 443, transport: 'a proxy' }
}

/** Whether a connection leads to this machine: no proxy has to hear of it. */
export function isHere(connection: Connection, allowHosts: readonly string[]): boolean {
  const address = URL.parse(connectionAddress(connection))
  return address !== null && isLoopback(address) && !matchesHost(address, allowHosts)
}

/** Returns the error with which a connection fails; `undefined` lets it pass. */
export type JudgeConnection = (connection: Connection) => Error | undefined

/** The settings of a guard that runs in a process or thread of its own. */
export interface GuardPolicy extends HostOptions {
  /** Whether nothing may leave this machine, whatever it is. */
  network?: 'closed'
  /** The file of the guard. Children of the child load it too. */
  file: string
  /** Whether the run records. A recording run lets connections pass, and reports them. */
  records?: boolean
  /** The folder with the `node` that loads the guard and with the reports of the children; absent before it is made. */
  folder?: string
  /** The gateway to which children send their LLM calls; absent where no gateway answers them. */
  gateway?: Redirection
  /** The reason why no gateway answers them, with a remedy. */
  unanswered?: string
  /** The keys that are not set and are lent, without which most SDKs do not start: `empty` ones too, or `absent` ones alone. */
  lends?: 'absent' | 'empty'
  /** Whether a thread shares its environment with the one that started it. */
  sharesEnv?: boolean
  /** The process that began the run. */
  run?: number
  /** Whether children write reports, for which their test fails or warns. */
  reports?: boolean
}

/** True for connections that replay refuses: to the hosts of providers, and for LLM calls to any other host. */
export function isGuarded(connection: Connection, options: HostOptions): boolean {
  const isModel = isGuardedHost(connection, options) || isGuardedCall(connection, options)
  return isModel && !isOwnServer(connectionAddress(connection), options.hosts)
}

function isGuardedHost({ host, port }: Connection, { hosts, allowHosts }: HostOptions): boolean {
  const address = `https://${hostInUrl(host)}:${port}`
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  // URL leaves the usual port out, and patterns with a port need it.
  const known = { ...url, hostname: url.hostname, host: `${url.hostname}:${port}` } as URL
  if (matchesHost(known, allowHosts)) return false
  return (
    providerOf(url) !== undefined || matchesHost(known, hosts) || sideRequestOf(url) !== undefined
  )
}

function isGuardedCall({ request }: Connection, options: HostOptions): boolean {
  if (!request) return false
  const url = new URL(request.url)
  if (request.headers.get('upgrade')) return isLlmSocket(url, options)
  return ['likely', 'certain'].includes(judgeAddress(request.method, url, options))
}

/** The origin of a connection that does not come from the process of the tests. */
export interface Elsewhere {
  /** `in a worker thread`, `in a child process`, `in a global set-up` */
  where: string
  /** The reason why nothing is answered there, with a remedy; absent where HTTP is answered. */
  unanswered?: string
}

/** The reason why children that no test started get no answer. */
export const OF_NO_TEST =
  'A request that belongs to no test can be neither recorded nor replayed. Start its server in beforeAll of a test file, test the server with the fixture of vitest-cassette/playwright, send the request in a test'

/** The reason why a child gets no answer while its test is blocked. */
export const WAITED_FOR =
  'While a test waits for a child in execSync or the like, it cannot answer requests. Start the child by spawn, exec or execFile'

/** The reason why no child gets an answer. */
export const NO_GATEWAY =
  'No port can be opened to answer requests of child processes. Let this process listen on the loopback interface'

const OVER_HTTP =
  'Data on such a connection can be neither recorded nor replayed. Use HTTP, with the name of the host'

/**
 * The error of a connection that is refused.
 *
 * @param elsewhere where it was made, unless the tests run there
 */
export function refusedConnection(connection: Connection, elsewhere?: Elsewhere): CassetteError {
  return new CassetteError(
    'refused',
    `${describeConnection(connection, elsewhere?.where)} is refused: this run replays, and nothing is sent.\n` +
      waysOutOf(connection, elsewhere),
  )
}

export function waysOutOf(
  { host }: Pick<Connection, 'host'>,
  elsewhere: Elsewhere | undefined,
): string {
  const reason = elsewhere?.unanswered ?? OVER_HTTP
  // All servers of this machine would be let out.
  if (reason === WAITED_FOR && /^(?:localhost|127\.0\.0\.1|\[?::1\]?)$/.test(host))
    return `${reason}, or put a fake in its place.`
  return `${reason}, put a fake in its place, or, if it is no LLM call, add '${host}' to the option allowHosts.`
}

/** The error of a request that goes out though nothing here has read it. */
export function unreadRequest(connection: Connection): CassetteError {
  return new CassetteError(
    'refused',
    `${describeConnection(connection)} could not be read, so it can be neither recorded nor replayed, and is not sent.\n` +
      'The test has probably replaced something that reading it needs, such as a global class or a function of Node: ' +
      `restore that before the call, put a fake in the place of the client, or, if it is no LLM call, add '${connection.host}' to the option allowHosts.`,
  )
}

export function describeConnection(
  { host, port, transport, url }: Connection,
  where: string = '',
): string {
  const by = where ? `${transport} ${where}` : transport
  return url
    ? `A request to ${withoutUser(url)} by ${by}`
    : `A connection to ${host}:${port} by ${by}`
}

/** Query and user can hold keys. */
export function withoutUser(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** The error of a tunnel that a client of the tests requests from a proxy, where the network is closed. */
export function refusedTunnel({ host, port }: Connection): CassetteError {
  return new CassetteError(
    'refused',
    `A tunnel to ${host}:${port} through a proxy is refused: the option network is 'closed', and nothing there is recorded.\n` +
      `To let it out in replay, add '${host}' to the option allowHosts.`,
  )
}
