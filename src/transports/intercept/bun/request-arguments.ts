import type { RequestOptions } from 'node:http'
import { hostInUrl } from '../patch/dial.ts'

/** The address of a request of `node:http`, by its first argument and its options. */
export function addressOfRequest(first: unknown, options: RequestOptions, protocol: string): URL {
  if (typeof first === 'string' || first instanceof URL) return new URL(first)
  const { host, hostname, port, path = '/' } = options
  const name = (hostname || host) ?? 'localhost'
  const named = name.startsWith('[') ? name : hostInUrl(name)
  return new URL(`${protocol}//${named}${port ? `:${port}` : ''}${path}`)
}

export function isRequestOptions(argument: unknown): argument is RequestOptions {
  return typeof argument === 'object' && argument !== null && !(argument instanceof URL)
}
