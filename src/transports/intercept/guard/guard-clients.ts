import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { whenLoaded } from '../patch/when-loaded.ts'
import type { JudgeConnection } from './guard-policy.ts'
import type { refusalOfRequest } from './refuse-request.ts'

const NAMES = ['lookup', 'resolve', 'resolve4', 'resolve6'] as const

/**
 * Guards look-ups of host names as well as sockets: some clients look an address up by themselves, and connect to a
 * bare IP address.
 */
export function guardNames(judge: JudgeConnection): void {
  whenLoaded(['node:dns', 'node:dns/promises'], () => {
    const undo = NAMES.flatMap((name) => guardName(name, judge))
    return () => undo.forEach((end) => end())
  })
}

function guardName(name: (typeof NAMES)[number], judge: JudgeConnection): Array<() => void> {
  const dns = builtin('node:dns')
  const refusal = (host: unknown): Error | undefined =>
    judge({ host: String(host), port: 443, transport: 'node:dns' })
  return [
    replaceOnce(dns, name, (find) => {
      const guarded = (host: unknown, ...rest: unknown[]): unknown => {
        const error = refusal(host)
        const done = rest.at(-1)
        if (!error || typeof done !== 'function') return Reflect.apply(find, dns, [host, ...rest])
        return process.nextTick(done as (error: Error) => void, error)
      }
      return guarded as typeof find
    }),
    replaceOnce(dns.promises, name, (find) => {
      const guarded = async (host: unknown, ...rest: unknown[]): Promise<unknown> => {
        const error = refusal(host)
        if (error) throw error
        return Reflect.apply(find, dns.promises, [host, ...rest])
      }
      return guarded as typeof find
    }),
  ]
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
