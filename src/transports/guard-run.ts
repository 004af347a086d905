import { web } from '../real/web.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { unrecordedConnection, refusedWaited } from './intercept/guard/refused-elsewhere.ts'
import { rmSync } from '../real/files.ts'
import { sendsNothing } from '../config/mode.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import type { HostOptions } from './intercept/call/judge-address.ts'
import { patchStarts } from './intercept/guard/patch-starts.ts'
import { matchesHost } from '../config/hosts.ts'
import { isOwnGateway } from './intercept/context/own-servers.ts'
import { setProcessOfRun } from './intercept/context/run-process.ts'
import { currentScope } from './scope.ts'
import { shared } from '../real/shared.ts'
import { closedBy, readCredentials } from './child-environment.ts'
import { withShim, isGuardFolder } from './intercept/guard/guard-folder.ts'
import {
  connectionAddress,
  GUARD_FILE,
  isGuarded,
  OF_NO_TEST,
  refusedConnection,
  type GuardPolicy,
  type JudgeConnection,
  tunnelTo,
  type Connection,
} from './intercept/guard/guard-policy.ts'
import { REFUSAL_MARK, REFUSAL_HEADERS, refusalBody } from './refuse.ts'
import { guardHttp2, guardNames } from './intercept/guard/guard-clients.ts'
import { guardWires } from './intercept/guard/guard-wire.ts'
import { childGuard, isNode } from './intercept/guard/guarded-start.ts'
import { guardSockets } from './intercept/guard/guard.ts'
import { refusalOfRequest } from './intercept/guard/refuse-request.ts'
import { refuseSocket } from './intercept/guard/refuse-socket.ts'
import { takeReports, sendReport } from './gateway/report-files.ts'
import { tmpdir } from '../real/os.ts'
import { join } from '../real/path.ts'
import { readDirect } from './gateway/direct-connections.ts'
import { isNamedAsModel } from './gateway/tunnel-rules.ts'
import { sideRequestOf } from './intercept/call/side-request.ts'
import { pathAt, readAddress } from './address.ts'
import { listenAtOnce, originOfServer } from './gateway/node-server.ts'

/** A program that a global set-up starts belongs to no test. If it is not Node, all we can do is to give it a closed port. */
const CLOSED = closedBy('start-it-in-a-test-or-in-beforeAll')

const HERE = { where: 'in a global set-up', unanswered: OF_NO_TEST }

const guarded = shared<{ isGuarded?: boolean; unrecorded: string[]; folder?: string }>(
  'run-guard',
  () => ({ unrecorded: [] }),
)

/** What global set-ups, and what they started, asked since the last time and no cassette can hold. */
export function unrecordedOfRun(): string[] {
  const { unrecorded, folder } = guarded
  return [...new Set([...unrecorded.splice(0), ...(folder ? takeReports(folder) : [])])]
}

/**
 * Guards the main process of Vitest, where global set-ups run, and the processes that it starts: servers of set-ups,
 * and workers before their own set-up. While a project records, the guard lets requests pass, and the run fails. A
 * project in mode `off` turns the guard off.
 *
 * @param projects the configurations of all projects; may still grow
 */
export function guardRun(projects: ReadonlyMap<string, ResolvedConfig>): void {
  if (guarded.isGuarded) return
  guarded.isGuarded = true
  setProcessOfRun(process.pid)
  const printed = new Set<string>()
  const policy = (): Omit<GuardPolicy, 'file'> | undefined => {
    const configs = [...projects.values()]
    if (configs.some(({ mode }) => mode === 'off')) return undefined
    return {
      run: process.pid,
      unanswered: OF_NO_TEST,
      records: configs.some(({ mode }) => !sendsNothing(mode)),
      ...hostsOfRun(projects),
    }
  }
  // Vite, plugins and reporters ask in this process too, and cannot be told from a set-up. What it starts is closed.
  const isClosed = (): boolean =>
    [...projects.values()].every(({ network }) => network === 'closed')
  const judge: JudgeConnection = (connection) => {
    const options = policy()
    // This process sends the requests of pages that record.
    if (!options || currentScope() === 'upstream' || !isGuarded(connection, options))
      return undefined
    // It asks for the workers of pages there.
    if (isOwnGateway(connectionAddress(connection))) return undefined
    const error = options.records ? undefined : refusedConnection(connection, HERE)
    // No test fails for it: if the set-up swallows the error, this line is all that people see.
    const about = connection.url ?? connection.host
    if (!printed.has(about)) {
      if (error) process.stderr.write(`${REFUSAL_MARK} ${error.message}\n`)
      else guarded.unrecorded.push(unrecordedConnection(connection, HERE))
    }
    printed.add(about)
    return error
  }
  guardSockets(judge, () => ({ guardWires, refuseSocket }))
  guardNames(judge)
  guardHttp2(judge, () => ({ refusalOfRequest }))
  let shimmed: GuardPolicy | undefined
  const children = childGuard({
    policy({ file = '' }) {
      const options = policy()
      if (!options) return undefined
      shimmed ??= removedAtExit(withShim({ file: GUARD_FILE, ...options }))
      // Workers of Vitest are Node, and their own set-up takes over.
      guarded.folder = shimmed.folder
      const isOther = !isNode(file) && !leadsToAllowed(options.allowHosts)
      const reports = options.records === true
      const network = isClosed() && !reports ? { network: 'closed' as const } : {}
      return {
        ...shimmed,
        ...options,
        reports,
        ...network,
        ...(isOther ? { gateway: CLOSED } : {}),
      }
    },
    refuse: (text) =>
      policy()?.records === false ? new CassetteError('refused', text) : undefined,
  })
  patchStarts(() => children)
}

export function hostsOfRun(projects: ReadonlyMap<string, ResolvedConfig>): HostOptions {
  const configs = [...projects.values()]
  return {
    hosts: configs.flatMap(({ hosts }) => hosts),
    allowHosts: configs.flatMap(({ allowHosts }) => allowHosts),
  }
}

/** Whether a variable of the user leads programs to a server that tests may reach. */
function leadsToAllowed(allowHosts: readonly string[]): boolean {
  const addresses = Object.values(process.env).flatMap((value = '') => URL.parse(value) ?? [])
  return addresses.some((address) => matchesHost(address, allowHosts))
}

function removedAtExit(policy: GuardPolicy): GuardPolicy {
  process.once('exit', () => rmSync(policy.folder!, { recursive: true, force: true }))
  return policy
}

/**
 * Refuses the LLM calls of programs for which their test waits, and fails the test. It runs in the process of the run,
 * as nothing in the process of such a test can answer. Returns its origin; `undefined` where no port can be opened.
 *
 * @param options identify LLM calls; may still change
 */
export function refuseWaited(options: () => HostOptions): string | undefined {
  const server = createServer((incoming, outgoing) => {
    incoming.url = pathAt(originOfServer(server), incoming.url ?? '/')
    void answer(incoming, outgoing, options())
  })
  server.on('connect', (incoming, socket, head) => {
    void openOrRefuse(incoming, socket, head, options())
  })
  server.on('error', () => {})
  listenAtOnce(server, 0)
  server.unref()
  return originOfServer(server)
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: HostOptions,
): Promise<void> {
  const { url = '/', method = 'GET' } = incoming
  const direct = readDirect(url)
  if (direct) {
    const { authority, token } = direct
    const connection = tunnelTo(authority)
    const { url: address = connectionAddress(connection), method: by = 'CONNECT' } =
      direct.request ?? {}
    const request = { method: by, url: address, headers: new web.Headers() }
    const isRefused =
      isModel(address, { ...connection, request }, options) ||
      isNamedAsModel(new URL(address), process.env)
    outgoing.writeHead(isRefused ? 403 : 204)
    return void outgoing.end(isRefused ? `${REFUSAL_MARK} ${tell(address, token)}` : undefined)
  }
  // A program that names its host came by its proxy.
  if (!/^http:\/\//i.test(url)) {
    const asked = readAddress(url)
    return refuse(asked?.url ?? 'http://localhost/', asked?.token ?? '', outgoing)
  }
  const { token, own } = readCredentials(incoming.headers['proxy-authorization'])
  const { hostname, port } = new URL(url)
  const headers = new web.Headers()
  const connection = { host: hostname, port: Number(port) || 80, transport: 'a proxy' }
  if (isModel(url, { ...connection, request: { method, url, headers } }, options))
    return refuse(url, token, outgoing)
  const { forward } = await import('./gateway/forward.ts')
  return forward(incoming, outgoing, url, own)
}

function refuse(url: string, folder: string, outgoing: ServerResponse): void {
  const text = tell(url, folder)
  outgoing
    .writeHead(400, { ...REFUSAL_HEADERS, 'content-type': 'application/json' })
    .end(JSON.stringify(refusalBody(url, text)))
}

async function openOrRefuse(
  { url: authority = '', headers }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: HostOptions,
): Promise<void> {
  socket.on('error', () => {})
  if (!URL.canParse(`https://${authority}`)) return void socket.destroy()
  const { token, own } = readCredentials(headers['proxy-authorization'])
  const connection = tunnelTo(authority)
  const url = connectionAddress(connection)
  if (isModel(url, connection, options) || isNamedAsModel(new URL(url), process.env)) {
    tell(url, token)
    return void socket.end('HTTP/1.1 403 Refused by vitest-cassette\r\n\r\n')
  }
  const { openTunnel } = await import('./gateway/forward.ts')
  await openTunnel(authority, socket, head, own)
}

/** What programs ask beside their LLM calls passes, as nobody here knows whether the test records. */
function isModel(url: string, connection: Connection, options: HostOptions): boolean {
  return sideRequestOf(new URL(url)) === undefined && isGuarded(connection, options)
}

/** Tells the test that waits, and returns what it was told. */
function tell(url: string, folder: string): string {
  const { message } = refusedWaited(url)
  if (isGuardFolder(folder)) sendReport(message, { folder: join(tmpdir(), folder), reports: true })
  return message
}
