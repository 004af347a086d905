import { refusedWaited } from './intercept/guard/refused-elsewhere.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from '../real/os.ts'
import { join } from '../real/path.ts'
import type { Duplex } from 'node:stream'
import { readDirect } from './gateway/direct-connections.ts'
import { isNamedAsModel } from './gateway/tunnel-rules.ts'
import type { HostOptions } from './answer.ts'
import { REFUSAL_HEADERS, REFUSAL_MARK, refusalBody } from './refuse.ts'
import { isGuardFolder } from './intercept/guard/guard-folder.ts'
import { sideRequestOf } from './intercept/call/side-request.ts'
import {
  connectionAddress,
  isGuarded,
  tunnelTo,
  type Connection,
} from './intercept/guard/guard-policy.ts'
import { sendReport } from './gateway/report-files.ts'
import { pathAt, readAddress } from './address.ts'
import { readCredentials } from './child-environment.ts'
import { listenAtOnce, originOfServer } from './gateway/node-server.ts'

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
    const request = { method: by, url: address, headers: new Headers() }
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
  const headers = new Headers()
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
