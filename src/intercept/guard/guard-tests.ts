import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { matchesHost } from '../../config/host-pattern.ts'
import { sendsNothing } from '../../config/mode.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { STARTED_HERE } from '../../engine/miss.ts'
import { CassetteError } from '../../errors.ts'
import { guardChildren } from './guard-children.ts'
import {
  GUARD_FILE,
  isGuarded,
  NO_GATEWAY,
  OF_NO_TEST,
  refusedConnection,
  refusedTunnel,
  WAITED_FOR,
  type Connection,
  type GuardPolicy,
} from './guard-policy.ts'
import { readReport, withShim } from './guard-folder.ts'
import { guardSockets } from './guard.ts'
import { noteServers } from '../mcp/note-servers.ts'
import { commandOf, isPiped } from '../mcp/started-command.ts'
import { hostToDial } from '../patch/dial.ts'
import { closedBy, type Gateways } from '../redirect/environment.ts'
import { judgeHere } from '../context/judge-here.ts'
import { captureCallSite } from '../context/request-context.ts'
import { configOf, currentScope, type Scope } from '../context/scope.ts'
import type { Attempt } from '../../host/attempt.ts'
import { serverNamed } from '../../config/server-name.ts'
import type { Layers } from '../answer/layers.ts'

/** The folders in which the children that a test started report what they were refused. */
const folders: WeakMap<Attempt, string> = new WeakMap()

/**
 * Guards this process and all that it starts: in replay nothing is sent to a provider, whatever opens
 * the connection, and the test fails whose connection is refused. Returns what ends it.
 *
 * @param mcp stands in for the MCP servers that an option names
 */
export function guardTests(
  currentConfig: () => ResolvedConfig,
  gateways?: Gateways,
  mcp?: Layers['mcp'],
): () => void {
  const endSockets = guardSockets((connection) => {
    const scope = currentScope()
    const config = configOf(scope, currentConfig())
    // A test can record while its file replays.
    if (scope === 'upstream' || !sendsNothing(config.mode) || !isClosed(connection, scope, config))
      return undefined
    const error = refusedConnection(connection)
    const reject = (): void => void (typeof scope === 'object' && scope.reject(error))
    if (connection.ifAsked) connection.ifAsked(reject)
    else reject()
    return error
  })
  const endChildren = guardChildren({
    policy(program, isWaitedFor) {
      const scope = currentScope()
      const { mode, hosts, allowHosts, mcp } = configOf(scope, currentConfig())
      const reports = typeof scope === 'object'
      const records = !sendsNothing(mode)
      // Without a test, nobody would hear of what is not recorded.
      if (mode === 'off' || (records && !reports)) return undefined
      const answered = reports
        ? gatewayOf(scope, program, isWaitedFor, gateways)
        : { unanswered: OF_NO_TEST }
      const policy = { file: GUARD_FILE, hosts, allowHosts, mcp, records, reports, ...answered }
      return reports ? inFolder(policy, scope) : policy
    },
    standIn(child, options, start) {
      const config = configOf(currentScope(), currentConfig())
      if (!mcp || config.mcp.length === 0 || config.mode === 'off' || !isPiped(options))
        return false
      const command = commandOf(options)
      const name = serverNamed(command, config.mcp)
      if (name === undefined) {
        noteServers(child, command)
        return false
      }
      void new (mcp().ServerProcess)(child, options, name, start)
      return true
    },
    refuse(text) {
      const scope = currentScope()
      if (!sendsNothing(configOf(scope, currentConfig()).mode)) return undefined
      const error = new CassetteError('refused', text)
      if (typeof scope === 'object') scope.reject(error)
      return error
    },
  })
  return () => {
    endSockets()
    endChildren()
  }
}

/** Who answers a child that starts now. One that is waited for finds a closed door, while it is recorded too. */
function gatewayOf(
  scope: Attempt,
  program: string,
  isWaitedFor: boolean,
  gateways: Gateways | undefined,
): Pick<GuardPolicy, 'gateway' | 'unanswered'> {
  if (!gateways) return { unanswered: OF_NO_TEST }
  if (isWaitedFor)
    return { gateway: closedBy('start-it-by-spawn-not-by-execSync'), unanswered: WAITED_FOR }
  const started = { program: basename(program), callSite: captureCallSite(STARTED_HERE) }
  const gateway = gateways.for(scope, started)
  if (gateway) return { gateway }
  return { gateway: closedBy('no-port-can-be-opened'), unanswered: NO_GATEWAY }
}

/** Answers a client that wants a tunnel to a provider; `undefined` lets it have the tunnel. */
export function answerTunnel(authority: string, ofFile: ResolvedConfig): Response | undefined {
  const connection = tunnelTo(authority)
  const scope = currentScope()
  const config = configOf(scope, ofFile)
  if (config.mode === 'off' || scope === 'upstream' || !isClosed(connection, scope, config))
    return undefined
  const error = refusedTunnel(connection)
  scope?.reject(error)
  return new Response(error.message, { status: 403 })
}

/**
 * Whether a tunnel that a child wants is answered in the place of its host: one to a provider, to what an answer led to, and to
 * where a model is asked in this test or its cassette. All others lead to where they are meant to.
 */
export function isAnsweredTunnel(authority: string, attempt: Attempt): boolean {
  const connection = tunnelTo(authority)
  const { config } = attempt
  if (config.mode === 'off') return false
  const address = addressOf(connection)
  if (matchesHost(new URL(address), config.allowHosts)) return false
  if (['certain', 'beside'].includes(judgeHere('CONNECT', address, attempt, config))) return true
  // What libraries ask beside the model is answered in replay, and nobody's concern while it is recorded.
  if (sendsNothing(config.mode) && isGuarded(connection, config)) return true
  return attempt.wasRecordedAt(new URL(address).host)
}

function tunnelTo(authority: string): Connection {
  const address = URL.parse(`https://${authority}`) ?? { hostname: authority, port: '' }
  return { host: hostToDial(address), port: Number(address.port) || 443, transport: 'a proxy' }
}

/** Whether nothing may be sent to a host: a provider's, or one to which a redirect of a provider leads. */
function isClosed(
  connection: Connection,
  scope: Scope | undefined,
  config: ResolvedConfig,
): boolean {
  if (isGuarded(connection, config)) return true
  return judgeHere('CONNECT', addressOf(connection), scope, config) === 'certain'
}

function addressOf({ host, port }: Connection): string {
  return `${port === 80 ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}/`
}

/** Makes what the children of a test were refused a failure of the test; while recording, warns of it. */
export function collectReports(scope: Attempt): void {
  const folder = folders.get(scope)
  // What starts later gets no folder, which nobody would remove.
  if (!folder) return void folders.set(scope, '')
  const lines = readReport(folder)
  rmSync(folder, { recursive: true, force: true })
  const [first, ...others] = [...new Set(lines)].map((line) => JSON.parse(line) as string)
  if (first === undefined) return
  if (sendsNothing(scope.config.mode)) scope.reject(new CassetteError('refused', first))
  else for (const text of [first, ...others]) console.warn(`[vitest-cassette] ${text}`)
}

/** Gives a policy the folder of its test. */
function inFolder(policy: GuardPolicy, scope: Attempt): GuardPolicy {
  const folder = folders.get(scope)
  if (folder !== undefined) return { ...policy, folder }
  const shimmed = withShim(policy)
  folders.set(scope, shimmed.folder!)
  return shimmed
}
