import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { matchesHost } from '../../../config/hosts.ts'
import { sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { isJsonObject, tryParseJson, type JsonValue } from '../../../json/json-value.ts'
import { isLoopback } from '../../../providers/providers.ts'
import { withRealValues } from '../../../real/real-world.ts'
import { seen } from '../../reports.ts'
import { configHere, currentScope } from '../../scope.ts'
import { sideRequestOf } from '../call/side-request.ts'
import { isOwnServer, OTHER_GATEWAY } from '../context/own-servers.ts'
import { others } from '../context/request-context.ts'
import type { Listeners, UndiciRequest } from './channels.ts'

/** A request to a local server that may be a prompt. */
interface Passing {
  url: URL
  /** Whether its body is a prompt, once it has passed without being recorded. */
  isPrompt?: Promise<boolean>
}

/** The last such request to each address. */
const passing = new Map<string, Passing>()

/** The same, by the object of its client. */
const sent = new WeakMap<object, Passing>()

/** Where requests were sent; a mock's leads nowhere. */
const sockets = new WeakMap<object, Socket>()

let ofFile: ResolvedConfig
let isMocked: (socket: Socket) => boolean

/**
 * Notes, while recording, prompts to local servers that pass, as nothing in their address tells of a model. It notes
 * only what can hardly be anything else, since applications have servers of their own: the body names a model and has a
 * prompt, the answer is data, and no server of this process gives it, none of a child, and no mock.
 *
 * @param config the configuration outside of tests
 * @param isOfMock whether a mock answers on a socket
 */
export function followPrompts(config: ResolvedConfig, isOfMock: (socket: Socket) => boolean): void {
  ofFile = config
  isMocked = isOfMock
  others.pass = passOf
}

/** Listens to the requests that {@link followPrompts} follows. */
export const promptListeners: Listeners = {
  'undici:request:create': ({ request }: { request: UndiciRequest }) =>
    begin(request, request.method, String(request.origin) + request.path),
  'undici:client:sendHeaders': ({ request, socket }: { request: object; socket: Socket }) => {
    if (sent.has(request)) sockets.set(request, socket)
  },
  'undici:request:headers': ({ request, response }: UndiciAnswer) =>
    end(request, response.statusCode, typeIn(response.headers), sockets.get(request)),
  'http.client.request.created': ({ request }: { request: ClientRequest }) => {
    const { protocol, host, path, method } = request
    begin(request, method, `${protocol}//${String(request.getHeader('host') ?? host)}${path}`)
  },
  'http.client.response.finish': ({ request, response }: HttpAnswer) =>
    end(request, response.statusCode!, response.headers['content-type'] ?? '', request.socket),
}

function begin(request: object, method: string, address: string): void {
  withRealValues(() => note(request, method, address))
}

function note(request: object, method: string, address: string): void {
  const url = method === 'POST' && currentScope() !== 'upstream' ? URL.parse(address) : null
  if (!url || !isLocal(url) || OTHER_GATEWAY.test(address)) return
  const { mode, allowHosts } = configHere(ofFile)
  if (mode === 'off' || sendsNothing(mode)) return
  if (matchesHost(url, allowHosts) || sideRequestOf(url)) return
  const entry: Passing = { url }
  passing.set(url.href, entry)
  sent.set(request, entry)
}

function end(request: object, status: number, type: string, socket?: Socket | null): void {
  const { isPrompt, url } = sent.get(request) ?? {}
  if (!isPrompt || !url || status >= 400 || !DATA.test(type)) return
  if (isOwnServer(url.href, []) || (socket && isMocked(socket))) return
  void isPrompt.then((is) => {
    if (is && !seen.local.has(url.host)) seen.local.set(url.host, `POST ${url.pathname}`)
  })
}

interface UndiciAnswer {
  request: object
  response: { statusCode: number; headers: ReadonlyArray<Buffer | string> }
}

interface HttpAnswer {
  request: ClientRequest
  response: IncomingMessage
}

/** How models answer: with JSON, or a stream of it. */
const DATA =
  /^(?:application\/(?:[\w.-]+\+)?json\b|text\/event-stream\b|application\/(?:x-)?(?:nd)?jsonl?\b)/i

function typeIn(headers: UndiciAnswer['response']['headers']): string {
  const at = headers.findIndex((one, at) => at % 2 === 0 && /^content-type$/i.test(String(one)))
  return at < 0 ? '' : String(headers[at + 1])
}

/** Copies the body of a request that may be a prompt. Returns what notes that it passed. */
function passOf(request: Request): (() => void) | undefined {
  const entry = passing.get(URL.parse(request.url)?.href ?? '')
  if (!entry || request.method !== 'POST') return undefined
  passing.delete(entry.url.href)
  const copy = request.clone()
  return () => {
    entry.isPrompt = copy.text().then(
      (text) => asksModel(tryParseJson(text)),
      () => false,
    )
  }
}

/** Names of the machines of a local network, and the addresses that belong to such networks alone. */
const LAN =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|[\w-]+|.+\.(?:local|lan|internal|home\.arpa))$/i

function isLocal(url: URL): boolean {
  return isLoopback(url) || LAN.test(url.hostname)
}

/** Whether a body asks a model that it names. Applications' own chats have messages too, in parts and without a model. */
function asksModel(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || typeof body.model !== 'string') return false
  const { messages, contents, prompt, input } = body
  if (Array.isArray(messages)) return messages.some(isMessage)
  if (Array.isArray(contents)) return contents.some((one) => isJsonObject(one) && 'parts' in one)
  return typeof prompt === 'string' || typeof input === 'string'
}

function isMessage(one: JsonValue): boolean {
  return isJsonObject(one) && 'role' in one && 'content' in one && !('parts' in one)
}
