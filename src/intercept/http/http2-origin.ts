import type { connect, ClientHttp2Session } from 'node:http2'

/** What a request over HTTP/2 begins with: an object, or names and values one after the other. */
export type RequestHeaders = Parameters<ClientHttp2Session['request']>[0]

/** Where a session leads to; `undefined` for what is no web address. */
export function originOf(authority: Parameters<typeof connect>[0]): URL | undefined {
  const text = String(authority)
  return URL.canParse(text) && /^https?:/.test(text) ? new URL(new URL(text).origin) : undefined
}

/** Whom a request asks: it can name another host than the session leads to. */
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

function pairsOf(headers: readonly string[]): Array<[string, string]> {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : []))
}
