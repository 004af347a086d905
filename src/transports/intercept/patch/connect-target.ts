import type { Socket } from 'node:net'

/** How a client connects. */
export interface ConnectTarget {
  host?: string
  port?: number | string
  /** That of a Unix socket or named pipe, which leads to no provider. */
  path?: string
  servername?: string
  lookup?: { name?: string }
  socket?: Socket
  timeout?: number
  ALPNProtocols?: unknown
}

/** Reads the arguments of `connect`: as the caller wrote them, or as Node has normalized them. */
export function connectTarget(args: unknown[]): ConnectTarget {
  const [first, second, third] = (Array.isArray(args[0]) ? args[0] : args) as unknown[]
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { path: first }
  const named = typeof second === 'string' ? { host: second } : Object(second ?? {})
  return { port: first as number, ...named, ...Object(typeof third === 'object' ? third : {}) }
}
