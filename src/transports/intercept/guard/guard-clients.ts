import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { headerOf, originAsked, originOf } from '../http/headers.ts'
import { whenLoaded } from '../patch/when-loaded.ts'
import type { JudgeConnection } from './guard-policy.ts'

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

/** Guards requests over HTTP/2, which Node writes past its sockets. Returns what ends it. */
export function guardHttp2(judge: JudgeConnection): () => void {
  return whenLoaded(['node:http2'], () =>
    replaceOnce(builtin('node:http2'), 'connect', (connect) => {
      const guarded: Connect = (authority, ...rest: unknown[]) => {
        const session = connect(authority, ...(rest as []))
        const request = session.request.bind(session)
        const origin = originOf(authority)
        session.request = (headers, options) => {
          const error = origin && judgeRequest(headers, origin)
          if (error) throw error
          return request(headers, options)
        }
        return session
      }
      return guarded
    }),
  )

  function judgeRequest(headers: Parameters<typeof headerOf>[0], origin: URL): Error | undefined {
    const method = headerOf(headers, ':method') ?? 'GET'
    const asked = originAsked(headers, origin)
    const url = asked.origin + (headerOf(headers, ':path') ?? '/')
    return judge({
      host: asked.hostname,
      port: Number(asked.port) || (asked.protocol === 'https:' ? 443 : 80),
      transport: 'node:http2',
      url,
      // The body follows after the head is sent, so the path alone decides.
      request: { method, url, headers: { get: (name) => headerOf(headers, name) } },
    })
  }
}
