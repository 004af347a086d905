import type { Attempt } from '../../attempt/attempt.ts'
import { matchesHost } from '../../config/hosts.ts'
import { CassetteError } from '../../errors.ts'
import { isLoopback } from '../../providers/providers.ts'
import { judgeInScope } from '../answer.ts'
import { namedHosts } from '../child-environment.ts'
import { isOwnGateway, isOwnServer } from '../intercept/context/own-servers.ts'
import { connectionAddress, tunnelTo } from '../intercept/guard/guard-policy.ts'
import { isThisMachine } from '../intercept/guard/this-machine.ts'
import { hostInUrl } from '../intercept/patch/dial.ts'
import { isAnsweredTunnel, isNamedTunnel } from './tunnel-rules.ts'

/** What a program is about to send past the gateway. The guard of Python asks whether it may: `python/`. */
export interface DirectConnection {
  /** Identifies the attempt. */
  token: string
  /** The host and port. */
  authority: string
  /** Set where the program only looks the host up. */
  isLookup: boolean
  /** The request, on a connection that is open. */
  request?: { method: string; url: string }
  /** The command line of the program. */
  by: string
  /** The line of the program, where it is known. */
  at: string
}

/** Reads the question of a guard; `undefined` for every other path. */
export function readDirect(path: string): DirectConnection | undefined {
  const [, token = '', query = ''] = /^\/+([\w-]+)\/direct\?(.+)$/.exec(path) ?? []
  if (token === '') return undefined
  const asked = new URLSearchParams(query)
  const of = (name: string): string => asked.get(name) ?? ''
  const port = of('port') === 'https' ? '443' : of('port') === 'http' ? '80' : of('port')
  const authority = `${hostInUrl(of('host').replace(/%.*$/, ''))}:${port || 443}`
  const url = `http://${authority}${of('path').replace(/^(?!\/)/, '/')}`
  if (!URL.canParse(url)) return undefined
  return {
    token,
    authority,
    isLookup: port === '',
    ...(of('method') === '' ? {} : { request: { method: of('method'), url } }),
    by: of('by'),
    at: of('at'),
  }
}

/** The ports of databases, queues, mail and shells: what a host there is called says nothing of a model. */
const OTHER_PORTS =
  /:(?:22|25|53|389|465|587|636|1433|1521|2181|3306|5432|5671|5672|6379|6432|9042|9092|11211|27017)$/

/**
 * Whether a program may not send it: the gateway would answer it, had the program asked there. So do models on this
 * machine, whose requests are told by their path where nothing names their address.
 */
export function isDirectRefused(direct: DirectConnection, attempt: Attempt): boolean {
  const { config } = attempt
  const { authority, request } = direct
  const address = new URL(connectionAddress(tunnelTo(authority)))
  const isOut = config.mode === 'off' || isOwnGateway(address.href)
  if (isOut || isOwnServer(address.href, config.hosts) || matchesHost(address, config.allowHosts))
    return false
  if (request) return judgeInScope(request.method, request.url, attempt, config) !== 'no'
  if (namedHosts(process.env).has(address.host)) return true
  if (!OTHER_PORTS.test(authority)) return isAnsweredTunnel(authority, attempt)
  return matchesHost(address, config.hosts)
}

/** Whether the summary of the run names its host, as that of a tunnel into which nobody here can see. */
export function isNamedDirect(
  { authority, isLookup, request }: DirectConnection,
  attempt: Attempt,
): boolean {
  if (isLookup || request || OTHER_PORTS.test(authority)) return false
  return !isThisMachine(new URL(`https://${authority}`)) && isNamedTunnel(authority, attempt)
}

/** The error of a program that sends past the gateway. */
export function refusedDirect(
  { authority, request, by, at }: DirectConnection,
  attempt: Attempt,
): CassetteError {
  const { hostname } = new URL(`http://${authority}`)
  const what = request
    ? `${request.method} ${request.url} past the gateway`
    : `A connection to ${authority} past the gateway`
  const { optionsOf } = attempt.owner.test(attempt.config.dir)
  const base = optionsOf === 'command' ? '' : `, or cassette.baseUrl('https://${authority}/…')`
  const wayOut =
    optionsOf === 'command' || isLoopback(new URL(`http://${authority}`))
      ? ''
      : ` If no model answers there, add '${hostname}' to the option allowHosts.`
  return new CassetteError(
    'refused',
    `${what} is refused, while recording too: it could be neither recorded nor replayed.\n` +
      `${by}${at && ` (${at})`} takes no proxy for it. Let its client take the one of its environment ` +
      `(httpx, requests and aiohttp by trust_env=True; no NO_PROXY of your own), or the base URL of its environment (OPENAI_BASE_URL, …${base}).${wayOut}`,
  )
}
