import { web } from '../../../real/web.ts'
import type { IncomingMessage } from 'node:http'
import type { connect, ClientHttp2Session } from 'node:http2'
import type { NamedHeaders } from '../../../wire/message.ts'

/** The headers of a request over HTTP/2: an object, or a list of names and values in turn. */
export type RequestHeaders = Parameters<ClientHttp2Session['request']>[0]

/** Headers of one connection, and of the transfer coding of its body: the next connection gets its own. */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers that hold on another connection too. */
export function withoutConnection(
  headers: Iterable<[name: string, value: string]>,
): Array<[name: string, value: string]> {
  return [...headers].filter(([name]) => !OF_CONNECTION.has(name))
}

/** The header by which a child tells the gateway the host that a request names. It goes no further. */
export const HOST_HEADER = 'x-vitest-cassette-host'

/** The host that a request names, where it is not that of its address: servers choose a model by it. */
export function otherHost(url: string, headers: NamedHeaders): string | undefined {
  const host = headers.get('host')
  return host && host !== new URL(url).host ? host : undefined
}

/** The headers of a message of `node:http`, each as often as it was sent. */
export function headersOf({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): Headers {
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new web.Headers(pairs)
}

/** The origin of a session; `undefined` for a text that is no web address. */
export function originOf(authority: Parameters<typeof connect>[0]): URL | undefined {
  const text = String(authority)
  return URL.canParse(text) && /^https?:/.test(text) ? new URL(new URL(text).origin) : undefined
}

/** The origin of a request, which can name another host than its session. */
export function originAsked(headers: RequestHeaders, origin: URL): URL {
  const authority = headerOf(headers, ':authority') ?? headerOf(headers, 'host')
  const asked = `${origin.protocol}//${authority}`
  return authority && URL.canParse(asked) ? new URL(asked) : origin
}

/** One header of a request, by its name in lower case. */
export function headerOf(headers: RequestHeaders, name: string): string | undefined {
  const fields = Array.isArray(headers) ? pairsOf(headers) : Object.entries(headers ?? {})
  return fields.find(([field]) => field.toLowerCase() === name)?.[1] as string | undefined
}

/** The pairs in a list of names and values in turn. */
export function pairsOf(headers: readonly string[]): Array<[name: string, value: string]> {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : []))
}
