import { builtin } from '../../../real/builtin.ts'
import type { JudgeConnection } from './guard-policy.ts'
import { headerOf, originAsked, originOf } from '../http/http2-origin.ts'
import { replaceOnce } from '../../../real/replace-once.ts'
import { whenLoaded } from '../patch/when-loaded.ts'

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
