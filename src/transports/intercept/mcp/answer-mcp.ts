import { web } from '../../../real/web.ts'
import { randomUUID } from 'node:crypto'
import { serverAt } from '../../../config/hosts.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { CassetteError } from '../../../errors.ts'
import { nextTurn } from '../../../real/clock.ts'
import { shared } from '../../../real/shared.ts'
import { isAnswering, isAsking, type McpMessage, parseMcp } from '../../../wire/mcp-messages.ts'
import { markSent } from '../../open-requests.ts'
import { refuse } from '../../refuse.ts'
import { noteFound } from '../../reports.ts'
import { readWhole, type WholeRequest } from '../call/whole-request.ts'
import type { RequestContext } from '../context/request-context.ts'
import type { PlainRequest } from '../http/plain-request.ts'
import { failedResponse, ServerOverHttp, SESSION_HEADER } from './server-over-http.ts'

/** The MCP servers of this process: by session, and without a session by scope. */
const known = shared('mcp-servers', () => ({
  bySession: new Map<string, ServerOverHttp>(),
  byScope: new WeakMap<object, Map<string, ServerOverHttp>>(),
}))

/** Stands for code outside of all tests. */
const NOBODY = {}

/** Answers a request over HTTP to an MCP server that the option `mcp` names; `undefined` lets other requests pass. */
export async function answerMcp(
  request: Request | PlainRequest,
  config: ResolvedConfig,
  context: RequestContext,
): Promise<Response | undefined> {
  const { method } = request
  if (method === 'GET' || method === 'DELETE') return answerBeside(request as Request, context)
  if (method !== 'POST') return undefined
  const whole = await readWhole(request)
  const { body } = whole
  const messages = parseMcp(typeof body === 'string' ? body : new TextDecoder().decode(body))
  if (!messages) return undefined
  markSent(context.open)
  const begins = messages.some((message) => message.method === 'initialize')
  return answerMessages(messages, serverFor(whole, begins, config, context), begins, whole, context)
}

/** Answers a client that opens the stream for messages of the server, or ends its session. */
async function answerBeside(
  request: Request,
  context: RequestContext,
): Promise<Response | undefined> {
  const { method, url, headers, signal } = request
  const session = headers.get(SESSION_HEADER)
  const server =
    session === null ? known.byScope.get(ownerOf(context))?.get(url) : known.bySession.get(session)
  if (method === 'GET' && !headers.get('accept')?.includes('text/event-stream')) return undefined
  if (!server && session === null)
    return /\/sse\/?$/.test(new URL(url).pathname) ? refuseOlder(url, context) : undefined
  markSent(context.open)
  if (method === 'DELETE' && session !== null) known.bySession.delete(session)
  if (server?.conversation.isLive) return server.ask(method as 'GET' | 'DELETE', signal)
  // 405 means that there is no such stream. Many servers answer with it, and clients go on without one.
  return method === 'GET'
    ? new web.Response(null, { status: 405, headers: { allow: 'POST' } })
    : new web.Response(null, { status: 200 })
}

function refuseOlder(url: string, { scope }: RequestContext): Response {
  const error = new CassetteError(
    'refused',
    `${url} is asked by the older transport of MCP, which sends answers on another connection than requests: it can be ` +
      'neither recorded nor replayed. Use StreamableHTTPClientTransport, or take the server out of the option mcp.',
  )
  if (typeof scope === 'object') scope.reject(error)
  return refuse(url, error.message, web)
}

function ownerOf({ scope }: RequestContext): object {
  return typeof scope === 'object' ? scope : NOBODY
}

function serverFor(
  { url, headers }: WholeRequest,
  begins: boolean,
  { mcp }: ResolvedConfig,
  context: RequestContext,
): ServerOverHttp {
  const owner = ownerOf(context)
  const ofScope = known.byScope.get(owner) ?? new Map<string, ServerOverHttp>()
  known.byScope.set(owner, ofScope)
  const session = headers.get(SESSION_HEADER) ?? undefined
  const found = session === undefined ? ofScope.get(url) : known.bySession.get(session)
  const server = begins || !found ? new ServerOverHttp(serverAt(new URL(url), mcp)!, url) : found
  server.heard(headers)
  noteFound(server.name)
  if (begins || session === undefined) ofScope.set(url, server)
  // The client opened the session before interception began, so only the server knows it.
  else if (!found) known.bySession.set((server.session = session), server)
  return server
}

async function answerMessages(
  messages: readonly McpMessage[],
  server: ServerOverHttp,
  begins: boolean,
  { signal }: WholeRequest,
  context: RequestContext,
): Promise<Response> {
  const { conversation } = server
  const said = new AnswerMessages()
  const answered = messages.map((message) =>
    conversation.receive(message, context, (one) => said.add(one), signal),
  )
  const all = Promise.all(answered).finally(() => said.end())
  await Promise.race([said.first.then(nextTurn), all])
  const failure = said.isEmpty ? (await all).find(Boolean) : undefined
  if (failure) return failedResponse(failure)
  const asked = messages.filter(isAsking)
  if (asked.length === 0) return new web.Response(null, { status: 202 })
  const headers = new web.Headers()
  const session = begins
    ? (server.session ?? (conversation.isLive ? undefined : randomUUID()))
    : undefined
  if (session !== undefined) {
    known.bySession.set(session, server)
    headers.set(SESSION_HEADER, session)
  }
  return said.respond(asked.length === 1, headers)
}

/** The messages of a server that answer one request over HTTP, as they arrive. */
class AnswerMessages {
  readonly #first = Promise.withResolvers<void>()
  readonly #waiting: McpMessage[] = []
  #stream?: ReadableStreamDefaultController<Uint8Array>
  #hasEnded = false

  /** Settles at the first message. */
  get first(): Promise<void> {
    return this.#first.promise
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(message: McpMessage): void {
    if (this.#hasEnded) return
    if (this.#stream) this.#stream.enqueue(eventOf(message))
    else this.#waiting.push(message)
    this.#first.resolve()
  }

  end(): void {
    if (!this.#hasEnded) this.#stream?.close()
    this.#hasEnded = true
  }

  /**
   * The HTTP response: one message, or a stream of them.
   *
   * @param isOne whether only one answer is expected
   */
  respond(isOne: boolean, headers: Headers): Response {
    const [first] = this.#waiting
    if (isOne && this.#hasEnded && first && isAnswering(first) && this.#waiting.length === 1)
      return web.Response.json(first, { headers })
    headers.set('content-type', 'text/event-stream')
    const body = new web.ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const message of this.#waiting.splice(0)) controller.enqueue(eventOf(message))
        if (this.#hasEnded) controller.close()
        else this.#stream = controller
      },
      cancel: () => {
        this.#stream = undefined
        this.#hasEnded = true
      },
    })
    return new web.Response(body, { headers })
  }
}

const encoder = new TextEncoder()

function eventOf(message: McpMessage): Uint8Array {
  return encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}
