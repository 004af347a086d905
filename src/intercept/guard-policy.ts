import { join } from 'node:path'
import { providerOf } from '../dialects/providers.ts'
import { CassetteError } from '../errors.ts'
import { matchesHost } from '../config/host-pattern.ts'
import type { HostOptions } from './llm-call.ts'
import { sideRequestOf } from './side-request.ts'

/** What processes and threads load before anything else; the build puts it beside every other file. */
export const GUARD_FILE: string = join(import.meta.dirname, 'guard.cjs')

/** A connection that is about to be opened, and what opens it. */
export interface Connection {
  host: string
  port: number
  /** The API it is opened by: `fetch`, `node:http`, `node:tls`, … */
  transport: string
}

/** What a guard is told that runs in a process or thread of its own. */
export interface GuardPolicy extends HostOptions {
  /** The file that guards; a grandchild loads it too. */
  file: string
  /** Whether the run records: then connections are let out, and only told of. */
  records?: boolean
  /** Where what a test's children did is written, so that the test can fail for it, or warn of it. */
  report?: string
}

/** True for hosts that nothing may be sent to in replay. */
export function isGuarded({ host, port }: Connection, { hosts, allowHosts }: HostOptions): boolean {
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

/**
 * The error of a connection that is refused.
 *
 * @param where `in a worker thread`, `in a child process`; nothing where the tests run
 */
export function refusedConnection(
  { host, port, transport }: Connection,
  where: string = '',
): CassetteError {
  const place = where ? `${transport} ${where}` : transport
  const reason = where
    ? `What is asked ${where} can be neither recorded nor replayed. Ask in the process of the tests`
    : 'What goes over such a connection can be neither recorded nor replayed. Ask over HTTP'
  return new CassetteError(
    'refused',
    `A connection to ${host}:${port} by ${place} is refused: this run replays, and nothing is sent.\n` +
      `${reason}, put a fake in its place, or, if it is no LLM call, add '${host}' to the option allowHosts.`,
  )
}

/** What is said of a connection that a recording does not see. */
export function unrecordedConnection({ host, port, transport }: Connection, where: string): string {
  return (
    `A connection to ${host}:${port} by ${transport} ${where} is not recorded, and will be refused in replay.\n` +
    `Ask in the process of the tests, put a fake in its place, or, if it is no LLM call, add '${host}' to the option allowHosts.`
  )
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
