import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendsNothing } from '../config/mode.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import { builtin } from './builtin.ts'
import { guardChildren } from './guard-children.ts'
import {
  GUARD_FILE,
  isGuarded,
  refusedConnection,
  refusedTunnel,
  type Connection,
} from './guard-policy.ts'
import { guardSockets } from './guard.ts'
import { judgeHere } from './judge-here.ts'
import { configOf, currentScope, type Scope, type TestScope } from './scope.ts'

/** Where the children that a test started report what they were refused. */
const reports: WeakMap<TestScope, string> = new WeakMap()

/**
 * Guards this process and all that it starts: in replay nothing is sent to a provider, whatever opens
 * the connection, and the test fails whose connection is refused. Returns what ends it.
 */
export function guardTests(currentConfig: () => ResolvedConfig): () => void {
  const endSockets = guardSockets((connection) => {
    const scope = currentScope()
    const config = configOf(scope, currentConfig())
    // A test can record while its file replays.
    if (scope === 'upstream' || !sendsNothing(config.mode) || !isClosed(connection, scope, config))
      return undefined
    const error = refusedConnection(connection)
    if (typeof scope === 'object') scope.reject(error)
    return error
  })
  const endChildren = guardChildren(() => {
    const scope = currentScope()
    const { mode, hosts, allowHosts } = configOf(scope, currentConfig())
    const report = typeof scope === 'object' ? reportOf(scope) : undefined
    const records = !sendsNothing(mode)
    // Without a test, nobody would hear of what is not recorded.
    if (mode === 'off' || (records && !report)) return undefined
    return { file: GUARD_FILE, hosts, allowHosts, records, report }
  })
  return () => {
    endSockets()
    endChildren()
  }
}

/** Answers a client that wants a tunnel to a provider; `undefined` lets it have the tunnel. */
export function answerTunnel(authority: string, ofFile: ResolvedConfig): Response | undefined {
  const [, host, port] = /^(.+):(\d+)$/.exec(authority) ?? []
  const connection = { host: host ?? authority, port: Number(port), transport: 'a proxy' }
  const scope = currentScope()
  const config = configOf(scope, ofFile)
  if (config.mode === 'off' || scope === 'upstream' || !isClosed(connection, scope, config))
    return undefined
  const error = refusedTunnel(connection)
  scope?.reject(error)
  return new Response(error.message, { status: 403 })
}

/** Whether nothing may be sent to a host: a provider's, or one to which a redirect of a provider leads. */
function isClosed(
  connection: Connection,
  scope: Scope | undefined,
  config: ResolvedConfig,
): boolean {
  if (isGuarded(connection, config)) return true
  const { host, port } = connection
  const address = `${port === 80 ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}/`
  return judgeHere('CONNECT', address, scope, config) === 'certain'
}

/** Makes what the children of a test were refused a failure of the test; while recording, warns of it. */
export function collectReports(scope: TestScope): void {
  const report = reports.get(scope)
  if (!report || !existsSync(report)) return
  const lines = new Set(readFileSync(report, 'utf8').split('\n').filter(Boolean))
  rmSync(report)
  const [first, ...others] = [...lines].map((line) => JSON.parse(line) as string)
  if (sendsNothing(scope.config.mode)) scope.reject(new CassetteError('refused', first!))
  else for (const text of [first, ...others]) console.warn(`[vitest-cassette] ${text}`)
}

function reportOf(scope: TestScope): string {
  const known = reports.get(scope)
  if (known) return known
  const { randomUUID } = builtin('node:crypto')
  const report = join(tmpdir(), `vitest-cassette-${randomUUID()}.jsonl`)
  reports.set(scope, report)
  return report
}
