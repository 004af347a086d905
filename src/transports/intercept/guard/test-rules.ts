import { web } from '../../../real/web.ts'
import type { ChildProcess } from 'node:child_process'
import type { Session } from '../../../engine/session.ts'
import { builtin } from '../../../real/builtin.ts'
import { basename } from '../../../real/path.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { captureCallSite, CassetteError, STARTED_HERE } from '../../../errors.ts'
import type { ChildGuard } from './patch-starts.ts'
import {
  connectionAddress,
  GUARD_FILE,
  isGuarded,
  isHere,
  NO_GATEWAY,
  OF_NO_TEST,
  refusedConnection,
  refusedTunnel,
  tunnelTo,
  unreadRequest,
  WAITED_FOR,
  type Connection,
  type GuardPolicy,
  type JudgeConnection,
} from './guard-policy.ts'
import { withShim } from './guard-folder.ts'
import { closed } from '../context/request-context.ts'
import { childGuard } from './guarded-start.ts'
import { takeFolder } from '../../gateway/report-files.ts'
import { folderOf } from '../../reports.ts'
import { commandOf, isPiped, noteServers, type Start } from '../mcp/started-command.ts'
import { closedBy, refusedAt, type Gateways, type Started } from '../../child-environment.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { judgeInScope } from '../../answer.ts'
import { judgeUrl, type HostOptions } from '../call/judge-address.ts'
import { takeUnread } from '../context/carried-context.ts'
import { isOwnGateway } from '../context/own-servers.ts'
import { processOfRun } from '../context/run-process.ts'
import { configOf, currentScope, type Scope } from '../../scope.ts'
import { heldPlaces } from '../../../attempt/asked-hosts.ts'
import type { Attempt } from '../../../attempt/attempt.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'
import { serverNamed } from '../../../config/hosts.ts'

/** Decides about the connections that tests open, and about the processes and threads that they start. */
export interface TestRules {
  refusalOf: JudgeConnection
  children: ChildGuard
}

/**
 * The rules of the tests of this process.
 *
 * @param gateways answer the children
 * @param mcp stands in for the MCP servers that an option names
 */
export function rulesOfTests(
  currentConfig: () => ResolvedConfig,
  gateways: Gateways,
  mcp: () => typeof import('../mcp/mcp-layer.ts'),
): TestRules {
  return {
    refusalOf: (connection) => inRealWorld(() => judge(connection, currentConfig())),
    children: childGuard({
      policy(start, isWaitedFor) {
        const scope = currentScope()
        const { mode, hosts, allowHosts, mcp, keys, network } = configOf(scope, currentConfig())
        const reports = typeof scope === 'object'
        const records = !sendsNothing(mode)
        // Without a test, no warning would name the requests that are not recorded.
        if (mode === 'off' || (records && !reports)) return undefined
        const answered = reports
          ? gatewayOf(scope, start, isWaitedFor, gateways)
          : { unanswered: OF_NO_TEST }
        const lends = keys && !records && reports ? lentTo(scope) : undefined
        const policy = {
          file: GUARD_FILE,
          run: processOfRun(),
          hosts,
          allowHosts,
          mcp,
          ...(network === 'closed' && !records ? { network } : {}),
          records,
          reports,
          lends,
          ...answered,
        }
        if (!reports) return policy
        const inOne = inFolder({ ...policy, held: heldBeyond(scope, policy) }, scope)
        const { waited } = gateways
        return isWaitedFor && waited && inOne.folder
          ? { ...inOne, gateway: refusedAt(waited, basename(inOne.folder)) }
          : inOne
      },
      noteEnd(start, { status, signal, error }) {
        const scope = currentScope()
        if (typeof scope !== 'object') return
        if (status === null && !signal && error)
          noteFailed(scope, start, unstarted(builtin('node:util').getSystemErrorName(error)))
        else noteExit(scope, start, status, signal)
      },
      standIn(child, start, run) {
        const scope = currentScope()
        const config = configOf(scope, currentConfig())
        if (typeof scope === 'object' && config.mode !== 'off') followEnd(child, start, scope)
        if (config.mcp.length === 0 || config.mode === 'off' || !isPiped(start)) return false
        const command = commandOf(start)
        const name = serverNamed(command, config.mcp)
        if (name === undefined) {
          noteServers(child, command)
          return false
        }
        void new (mcp().ServerProcess)(child, start, name, run)
        return true
      },
      refuse(text) {
        const scope = currentScope()
        if (!sendsNothing(configOf(scope, currentConfig()).mode)) return undefined
        const error = new CassetteError('refused', text)
        if (typeof scope === 'object') scope.reject(error)
        return error
      },
    }),
  }
}

/** The error of a connection that may not be opened. It also fails the test. */
function judge(connection: Connection, ofFile: ResolvedConfig): Error | undefined {
  const unread = connection.headers && takeUnread(connection.headers)
  if (unread) {
    const error = unreadRequest(connection)
    if (typeof unread.scope === 'object') unread.scope.reject(error)
    return error
  }
  const scope = currentScope()
  const config = configOf(scope, ofFile)
  // A test can record while its file replays.
  if (scope === 'upstream') return undefined
  if (!sendsNothing(config.mode) || !isClosed(connection, scope, config))
    return closed.judge?.(connection, scope, config)
  const error = refusedConnection(connection)
  const reject = (): void => void (typeof scope === 'object' && scope.reject(error))
  if (connection.ifAsked) connection.ifAsked(reject)
  else reject()
  return error
}

/** The addresses in the cassette of a test that nothing else tells its children to be those of models. */
function heldBeyond(attempt: Attempt, options: HostOptions): string[] {
  return [...heldPlaces(attempt)].filter(
    (place) => judgeUrl('POST', `https://${place}`, options) === 'no',
  )
}

/** A test without a recording may be about an empty key. */
function lentTo({ owner, config }: Attempt): GuardPolicy['lends'] {
  return owner.hasCassette(config) ? 'empty' : 'absent'
}

/** The gateway of a child that starts now. A child that its test waits for gets a closed port, also in a recording. */
function gatewayOf(
  scope: Attempt,
  start: Start,
  isWaitedFor: boolean,
  gateways: Gateways,
): Pick<GuardPolicy, 'gateway' | 'unanswered'> {
  const started = {
    program: basename(start.file ?? ''),
    command: commandOf(start),
    callSite: captureCallSite(STARTED_HERE),
  }
  if (isWaitedFor) {
    waitedFor.set(scope, [...(waitedFor.get(scope) ?? []), started])
    return { gateway: closedBy('start-it-by-spawn-not-by-execSync'), unanswered: WAITED_FOR }
  }
  const gateway = gateways.for(scope, started)
  if (gateway) return { gateway }
  return { gateway: closedBy('no-port-can-be-opened'), unanswered: NO_GATEWAY }
}

/** What is done with a tunnel that a client requests from a proxy. */
export interface TunnelRules {
  /** Whether what comes through it is answered here, or refused: a proxy never hears of it. */
  isOurs(authority: string): boolean
  /** Refuses it, which fails its test; `undefined` answers what comes through it. */
  refuse(authority: string): Response | undefined
}

/** The tunnels of tests: those to providers and to this machine are answered, and a closed network refuses all others. */
export function tunnelsOfTests(ofFile: () => ResolvedConfig): TunnelRules {
  const isAnswered = (connection: Connection, config: ResolvedConfig): boolean =>
    isHere(connection, config.allowHosts) || isClosed(connection, currentScope(), config)
  return {
    isOurs(authority) {
      const connection = tunnelTo(authority)
      const config = configOf(currentScope(), ofFile())
      if (config.mode === 'off' || currentScope() === 'upstream') return false
      return isAnswered(connection, config) || (closed.isOutside?.(connection, config) ?? false)
    },
    refuse(authority) {
      const connection = tunnelTo(authority)
      const scope = currentScope()
      if (isAnswered(connection, configOf(scope, ofFile()))) return undefined
      const error = refusedTunnel(connection)
      if (typeof scope === 'object') scope.reject(error)
      return new web.Response(error.message, { status: 403 })
    },
  }
}

/** Whether nothing may be sent to a host: a provider's, or one to which a redirect of a provider leads. */
function isClosed(
  connection: Connection,
  scope: Scope | undefined,
  config: ResolvedConfig,
): boolean {
  const address = connectionAddress(connection)
  if (isOwnGateway(address)) return false
  if (isGuarded(connection, config)) return true
  const { method, url } = connection.request ?? { method: 'CONNECT', url: address }
  return judgeInScope(method, url, scope, config) === 'certain'
}

/** The programs for which tests have waited. Who refuses their requests does not know them. */
const waitedFor = new WeakMap<Attempt, Started[]>()

/** Names the program of a refusal for which its test waited, and where it is the only one, its line. */
function withProgram(text: string, scope: Attempt): { text: string; callSite?: Error } {
  const programs = text.includes(WAITED_FOR) ? (waitedFor.get(scope) ?? []) : []
  return programs.length > 0 ? loadExplain().nameWaited(text, programs) : { text }
}

/** The programs of tests that failed, while their tests run. */
const failedPrograms = new WeakMap<Attempt, NonNullable<Session['ended']>>()

/** Signals by which tests and people stop programs. */
const STOPS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL']

/** Notes a program that fails while its test runs, unless the test itself has stopped it. */
function followEnd(child: ChildProcess, start: Start, scope: Attempt): void {
  child.once('exit', (code, signal) => {
    if (!child.killed) noteExit(scope, start, code, signal)
  })
  // Not a listener of errors: without one of the application, the error has to be thrown.
  const monitor = builtin('node:events').errorMonitor as unknown as 'error'
  child.on(monitor, ({ syscall, code }: NodeJS.ErrnoException) => {
    if (syscall?.startsWith('spawn')) noteFailed(scope, start, unstarted(code ?? 'no reason given'))
  })
}

function noteExit(scope: Attempt, start: Start, code: number | null, signal: string | null): void {
  if (code === 0 || STOPS.includes(signal ?? '')) return
  noteFailed(scope, start, code === null ? `by ${signal}` : `with exit code ${code}`)
}

function noteFailed(scope: Attempt, start: Start, how: string): void {
  const failed = { command: commandOf(start), how }
  failedPrograms.set(scope, [...(failedPrograms.get(scope) ?? []), failed])
}

/** Says of a program that the system did not start it, as of one that is not installed. */
function unstarted(reason: string): string {
  return `before it began (${reason})`
}

/** Tells those who explain a test which of its programs failed. Where all was replayed, there is nothing to explain. */
function tellEnds(scope: Attempt): void {
  const ended = failedPrograms.get(scope)
  if (!ended || scope.sealed?.isDone) return
  if (scope.wasAsked || scope.owner.hasCassette?.(scope.config) !== false)
    scope.session.ended = ended
}

/** Gives a policy the folder of its test. */
function inFolder(policy: GuardPolicy, scope: Attempt): GuardPolicy {
  let shimmed: GuardPolicy | undefined
  const folder = folderOf(scope, () => {
    const path = (shimmed = withShim(policy)).folder!
    return {
      path,
      take() {
        tellEnds(scope)
        return takeFolder(path).map((text) => withProgram(text, scope))
      },
    }
  })
  return shimmed ?? { ...policy, folder }
}
