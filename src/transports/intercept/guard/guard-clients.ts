import { isLoopback } from '../../../providers/providers.ts'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { whenLoaded } from '../patch/when-loaded.ts'
import type { JudgeConnection } from './guard-policy.ts'
import type { refusalOfRequest } from './refuse-request.ts'
import { timers } from '../../../real/clock.ts'

/** The questions by which clients look up an address themselves, and connect to a bare IP address. */
const NAMES: readonly string[] = ['lookup', 'resolve', 'resolve4', 'resolve6']

export type Ask = (this: unknown, ...args: unknown[]) => unknown
export type Asked = Record<string, Ask>

/** Which questions to name servers are guarded: by default those by which clients look up an address themselves. */
interface GuardedQueries {
  names?: readonly string[]
  /** Whether the resolvers that a program makes are guarded too. */
  ofResolvers?: boolean
}

/** Guards questions to name servers. Returns what ends this. */
export function guardNames(judge: JudgeConnection, queries: GuardedQueries = {}): () => void {
  const { names = NAMES, ofResolvers = false } = queries
  return whenLoaded(['node:dns', 'node:dns/promises'], () => {
    const dns = builtin('node:dns')
    const undo = [dns, dns.promises].flatMap((way) => {
      const owners = [way, ...(ofResolvers ? [way.Resolver.prototype] : [])] as unknown as Asked[]
      return owners.flatMap((owner) =>
        names
          .filter((name) => typeof owner[name] === 'function')
          .map((name) => replaceOnce(owner, name, (ask) => guarded(name, ask, way !== dns))),
      )
    })
    return () => undo.forEach((end) => end())
  })

  function guarded(name: string, ask: Ask, isPromised: boolean): Ask {
    return function (...args) {
      const [host] = args
      const isAsked = typeof host === 'string' && !(name === 'lookup' && isKnownHere(host))
      const error = isAsked && judge({ host, port: 443, transport: 'node:dns' })
      const done = args.at(-1)
      if (error && isPromised) return Promise.reject(error)
      if (!error || typeof done !== 'function') return ask.apply(this, args)
      return timers.nextTick(done as (error: Error) => void, error)
    }
  }
}

/** Whether a lookup needs no name server: an IP address, or a name of this machine. Servers look up where they listen. */
function isKnownHere(host: string): boolean {
  if (builtin('node:net').isIP(host) !== 0) return true
  const url = URL.parse(`http://${host}`)
  return url !== null && isLoopback(url)
}

type Connect = typeof import('node:http2').connect

/**
 * Guards requests over HTTP/2, which Node writes past its sockets. Returns what ends it.
 *
 * @param load loads what reads a request
 */
export function guardHttp2(
  judge: JudgeConnection,
  load: () => { refusalOfRequest: typeof refusalOfRequest },
): () => void {
  return whenLoaded(['node:http2'], () =>
    replaceOnce(builtin('node:http2'), 'connect', (connect) => {
      const guarded: Connect = (authority, ...rest: unknown[]) => {
        const session = connect(authority, ...(rest as []))
        const request = session.request.bind(session)
        session.request = (headers, options) => {
          const error = load().refusalOfRequest(authority, headers, judge)
          if (error) throw error
          return request(headers, options)
        }
        return session
      }
      return guarded
    }),
  )
}
