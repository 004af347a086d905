import { join } from 'node:path'
import { providerOf } from '../../dialects/kit/providers.ts'
import { CassetteError } from '../../errors.ts'
import { builtin } from '../patch/builtin.ts'
import { matchesHost } from '../../config/host-pattern.ts'
import { isLlmSocket, judgeAddress, type HostOptions } from '../call/llm-call.ts'
import { sideRequestOf } from '../call/side-request.ts'
import type { Redirection } from '../redirect/environment.ts'
import type { NamedHeaders } from '../../wire/message.ts'
import type { WholeRequest } from '../call/whole-request.ts'

/** What processes and threads load before anything else; the build puts it beside every other file. */
export const GUARD_FILE: string = join(import.meta.dirname, 'guard.cjs')

/** A connection that is about to be opened, and what opens it. */
export interface Connection {
  host: string
  port: number
  /** The API it is opened by: `fetch`, `node:http`, `node:tls`, … */
  transport: string
  /**
   * Does something where anything is asked on it, which of a bare socket its first write tells. MSW opens some on
   * which nobody asks: a client that reads on after it gave its request up looks like one that waits for a greeting.
   */
  ifAsked?(then: () => void): void
  /** The address that is asked for on it, where it is open already. */
  url?: string
  /** What is asked, where it may be an LLM call; without a body that cannot be waited for. */
  request?: Pick<WholeRequest, 'method' | 'url'> & {
    headers: NamedHeaders
    body?: WholeRequest['body']
  }
}

/** Decides on a connection: the error it fails with, or nothing. */
export type JudgeConnection = (connection: Connection) => Error | undefined

/** The settings of a guard that runs in a process or thread of its own. */
export interface GuardPolicy extends HostOptions {
  /** The file that guards; a grandchild loads it too. */
  file: string
  /** Whether the run records: then connections are let out, and only told of. */
  records?: boolean
  /** Where the `node` is that loads the guard, and where children write what they did; absent before it is made. */
  folder?: string
  /** Where children are to ask what is an LLM call; absent where nobody answers them. */
  gateway?: Redirection
  /** Why nobody does, with what to do. */
  unanswered?: string
  /** Whether children write what they did, so that their test can fail for it, or warn of it. */
  reports?: boolean
}

/** True for what nothing may be sent to in replay: the hosts of providers, and LLM calls on any other host. */
export function isGuarded(connection: Connection, options: HostOptions): boolean {
  return isGuardedHost(connection, options) || isGuardedCall(connection, options)
}

function isGuardedHost({ host, port }: Connection, { hosts, allowHosts }: HostOptions): boolean {
  const address = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  // As a pattern with a port expects it; URL leaves the usual port out.
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
  if (judgeAddress(request.method, url, options) !== 'likely') return false
  if (request.body === undefined) return true
  const { createRequire } = builtin('node:module')
  const calls = createRequire(GUARD_FILE)('./guard-calls.cjs') as typeof import('./guard-calls.ts')
  return calls.isCallByBody(request as WholeRequest)
}

/** Where a connection is made that does not come from the tests. */
export interface Elsewhere {
  /** `in a worker thread`, `in a child process`, `in a global set-up` */
  where: string
  /** Why nothing is answered there at all, with what to do; absent where HTTP is. */
  unanswered?: string
}

/** Why the children of nobody are not answered. */
export const OF_NO_TEST =
  'What no test asks can be neither recorded nor replayed. Ask in the process of the tests'

/** Why a child is not answered while its test can do nothing. */
export const WAITED_FOR =
  'A test that waits for a child by execSync and its like can answer nothing meanwhile. Start the child by spawn, exec or execFile'

/** Why no child is answered. */
export const NO_GATEWAY =
  'No port can be opened here at which children could be answered. Let this process listen on the loopback interface'

const OVER_HTTP =
  'What goes over such a connection can be neither recorded nor replayed. Ask over HTTP, by the name of the host'

/**
 * The error of a connection that is refused.
 *
 * @param elsewhere where it was made, unless the tests run there
 */
export function refusedConnection(connection: Connection, elsewhere?: Elsewhere): CassetteError {
  return new CassetteError(
    'refused',
    `${describe(connection, elsewhere?.where)} is refused: this run replays, and nothing is sent.\n` +
      waysOut(connection, elsewhere),
  )
}

function waysOut({ host }: Connection, elsewhere: Elsewhere | undefined): string {
  const reason = elsewhere?.unanswered ?? OVER_HTTP
  return `${reason}, put a fake in its place, or, if it is no LLM call, add '${host}' to the option allowHosts.`
}

/** What is said of a connection that a recording does not see. */
export function unrecordedConnection(connection: Connection, elsewhere: Elsewhere): string {
  return (
    `${describe(connection, elsewhere.where)} is not recorded, and will be refused in replay.\n` +
    waysOut(connection, elsewhere)
  )
}

function describe({ host, port, transport, url }: Connection, where: string = ''): string {
  const by = where ? `${transport} ${where}` : transport
  return url
    ? `A request to ${withoutUser(url)} by ${by}`
    : `A connection to ${host}:${port} by ${by}`
}

/** Query and user can hold keys. */
function withoutUser(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** The error of a tunnel that a client of the tests wants to have from a proxy. */
export function refusedTunnel({ host, port }: Connection): CassetteError {
  return new CassetteError(
    'refused',
    `A tunnel to ${host}:${port} through a proxy is refused: what goes through it could be neither recorded nor replayed.\n` +
      'Let the environment name the proxy (NODE_USE_ENV_PROXY=1 and HTTPS_PROXY) instead of a dispatcher or agent of ' +
      `the client, or, if it is no LLM call, add '${host}' to the option allowHosts.`,
  )
}

/**
 * The error of a program that does not believe the certificate of the gateway.
 *
 * @param why what TLS says
 */
export function untrustedCertificate(
  origin: string,
  why: string,
  program: string = 'a program',
): CassetteError {
  const { host, hostname } = new URL(origin)
  return new CassetteError(
    'refused',
    `${program}, or what it started, asked ${host}, and did not trust the certificate of vitest-cassette (${why.trim()}): what it asks can be neither recorded nor replayed.\n` +
      'Let it read the certificates in the file that SSL_CERT_FILE in its environment names, or give it its base URL by ' +
      `an option or a file of its own: cassette.baseUrl('${origin}/…') needs no certificate; or, if it is no LLM call, add '${hostname}' to the option allowHosts.`,
  )
}
