import { readIncoming } from '../../../engine/incoming.ts'
import type { Answer, Origin } from '../../../engine/session-contract.ts'
import type { Session } from '../../../engine/session.ts'
import { CassetteError } from '../../../errors.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'
import type { JsonValue } from '../../../json/json-value.ts'
import { nextTurn, waitFor } from '../../../real/clock.ts'
import type { Redactor } from '../../../secrets/redactor.ts'
import {
  isAnswering,
  isAsking,
  type McpMessage,
  mcpMessagesOf,
  mcpRequest,
  withProgressToken,
} from '../../../wire/mcp-messages.ts'
import type { WireResponse } from '../../../wire/message.ts'
import { nextOrder, waitForNothing } from '../../open-requests.ts'
import { REFUSAL_MARK } from '../../refuse.ts'
import { reportOutsideTest } from '../context/report-outside-test.ts'
import type { RequestContext } from '../context/request-context.ts'
import { McpRecording } from './mcp-recording.ts'
import {
  type Deliver,
  ServerRequests,
  type WaitingRequest,
  WaitingRequests,
} from './waiting-requests.ts'

/** The transport of a conversation. */
export interface McpTransport {
  /** The name of the server in the option. */
  server: string
  /**
   * Sends a message to the server itself, which runs only where it is recorded. Its answers go to
   * {@link McpConversation.hear}. Returns an answer that is no message.
   *
   * @param from a key that {@link McpConversation.hear} gets with each answer to this message, where the transport can
   * tell
   */
  send(message: McpMessage, from?: object): Promise<WireResponse | undefined>
  redactor(session: Session): Redactor
}

/** A method that carries no content. */
const PING = 'ping'

/** The id of the handshake that this package makes itself. */
const HANDSHAKE = 'vitest-cassette-initialize'

/**
 * The messages between one client and one server. Each request of the client is an exchange, and its answer is
 * everything that the server sends until it has answered. An answer of the client to a request of the server is an
 * exchange too.
 */
export class McpConversation {
  readonly #transport: McpTransport
  readonly #waiting: WaitingRequests = new WaitingRequests()
  readonly #asked: ServerRequests = new ServerRequests()
  /** The first message of the client, which a server that starts later gets too. */
  #hello?: McpMessage
  /** Settles after the handshake with the server; absent while the server does not run. */
  #reached?: Promise<unknown>

  constructor(transport: McpTransport) {
    this.#transport = transport
  }

  /** Whether a message was sent to the server. */
  get isLive(): boolean {
    return this.#reached !== undefined
  }

  /**
   * Takes a message of the client. Settles when it is answered, with an answer that is no message where it gets one.
   *
   * @param deliver sends messages of the server to the client
   * @param signal aborts when the client gives up
   */
  receive(
    message: McpMessage,
    context: RequestContext,
    deliver: Deliver,
    signal?: AbortSignal | null,
  ): Promise<WireResponse | undefined> {
    if (message.method === 'initialize') this.#hello = message
    if (isAnswering(message)) return this.#takeReply(message)
    if (!isAsking(message)) return this.#notify(message)
    return new Promise((resolve) => {
      const request = this.#waiting.add(message, context.scope, deliver, signal, resolve)
      this.#answer(message, request, context)
      // While the request was read.
      if (signal?.aborted) this.#waiting.giveUp(request.id)
    })
  }

  /**
   * Takes a message of the server.
   *
   * @param from the key that {@link McpTransport.send} got with the message that this one answers
   * @param isDelivered whether the client has it already
   */
  hear(message: McpMessage, from?: object, isDelivered = false): void {
    if (message.id === HANDSHAKE) return this.#asked.take(HANDSHAKE)?.settle?.(true)
    const request = (from as WaitingRequest | undefined) ?? this.#waiting.findFor(message)
    const { recording } = request ?? {}
    const deliver = (): void => {
      if (!isDelivered) request?.deliver(message)
      if (isAnswering(message)) request?.end()
    }
    if (isAsking(message) && message.method !== PING) this.#asked.note(message, request?.scope)
    if (recording && isAnswering(message)) return void recording.finish(message).then(deliver)
    if (message.method !== PING) recording?.add(message)
    deliver()
  }

  /** Ends all requests of a client that has given up. */
  giveUp(): void {
    this.#waiting.giveUp()
  }

  /** Fails the open requests, since the server has ended. */
  breakOff(error: Error): void {
    this.#waiting.breakOff(error)
  }

  #answer(message: McpMessage, request: WaitingRequest, context: RequestContext): void {
    const { scope } = request
    const isPing = message.method === PING
    if (isPing && !this.isLive) return endWith(request, { result: {} })
    if (isPing || scope === 'upstream') return this.#pass(message, request)
    if (!scope) {
      const wire = mcpRequest(this.#transport.server, message)
      return endWith(request, errorOf(reportOutsideTest(wire, context.callSite)))
    }
    const { session } = scope
    context.way = 'client'
    const answer = this.#ask(message, session, context)
    switch (answer?.action) {
      case undefined:
        return endWith(request, errorOf('The request could not be read.'))
      case 'live':
        return this.#pass(message, request)
      case 'refuse':
        return endWith(request, errorOf(loadExplain().explainBriefly(session, answer.miss)))
      case 'replay':
        // The client waits until it gives up, as it did in the recording.
        if (answer.response.aborted !== undefined) return waitForNothing(context)
        return void waitFor(answer.delayMs).then(() => this.#play(answer.response, request))
      case 'record':
        request.recording = new McpRecording(answer, this.#transport.redactor(session))
        return this.#pass(message, request)
    }
  }

  #ask(message: McpMessage, session: Session, origin: Origin): Answer | undefined {
    try {
      const { server, redactor } = this.#transport
      const { volatile } = session.config
      const wire = redactor(session).request(mcpRequest(server, message))
      return session.answer(readIncoming(wire, { volatile }), origin)
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      session.reject(error)
      return undefined
    }
  }

  /** Sends a request to the server. */
  #pass(message: McpMessage, request: WaitingRequest): void {
    this.#waiting.lastSent = request
    const { recording } = request
    void this.#send(message, request).then(
      async (failure) => {
        if (!failure) return
        await recording?.finishWith(failure)
        request.end(failure)
      },
      (error: Error) => {
        recording?.fail(error)
        endWith(request, errorOf(error.message))
      },
    )
  }

  async #send(message: McpMessage, from?: object): Promise<WireResponse | undefined> {
    await (this.#reached ??= this.#introduce(message))
    return this.#transport.send(message, from)
  }

  /** Makes the handshake with a server that starts in the middle of a conversation. */
  async #introduce(first: McpMessage): Promise<void> {
    if (first.method === 'initialize' || !this.#hello) return
    const answered = this.#asked.wait(HANDSHAKE)
    await this.#transport.send({ ...this.#hello, id: HANDSHAKE })
    await answered
    await this.#transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  async #notify(message: McpMessage): Promise<undefined> {
    const sent = this.#reached ? this.#send(message) : undefined
    if (message.method === 'notifications/cancelled')
      this.#waiting.giveUp((message.params as { requestId?: JsonValue }).requestId ?? null)
    await sent
  }

  /** Takes an answer of the client to the server. It is compared, since the application or a model wrote it. */
  async #takeReply(message: McpMessage): Promise<WireResponse | undefined> {
    const { scope, method, isReplayed = false, settle } = this.#asked.take(message.id) ?? {}
    let isSame = true
    // The roots of a client differ from machine to machine, so they are not compared.
    if (typeof scope === 'object' && method !== 'roots/list') {
      const { session } = scope
      const answer = this.#ask({ ...message, method: method! }, session, { order: nextOrder() })
      const { server, redactor } = this.#transport
      if (answer?.action === 'record') {
        const { incoming } = answer.recording
        const difference = (): string =>
          loadExplain().explainInOneLine(session, { reason: 'unmatched', incoming })
        if (isReplayed) session.reject(leftRecording(server, method!, difference()))
        else new McpRecording(answer, redactor(session)).keepWithoutAnswer()
      }
      isSame = answer?.action === 'replay'
    }
    settle?.(isSame)
    return isReplayed ? undefined : this.#send(message)
  }

  async #play(response: WireResponse, request: WaitingRequest): Promise<void> {
    const { deliver, id, token } = request
    if (response.status >= 400) return request.end(response)
    for (const message of mcpMessagesOf(response)) {
      await nextTurn()
      if (!this.#waiting.has(request)) return
      if (isAsking(message)) {
        const asked = this.#asked.replay(message, request.scope)
        deliver({ ...message, id: asked.id })
        if (!(await asked.replied)) return endWith(request, errorOf(OTHERWISE))
      } else if (message.method === undefined) deliver({ jsonrpc: '2.0', id, ...message })
      else deliver(withProgressToken(message, token))
    }
    request.end()
  }
}

function endWith(request: WaitingRequest, answer: McpMessage): void {
  request.deliver({ jsonrpc: '2.0', id: request.id, ...answer })
  request.end()
}

/** The error for a client whose answer to its server differs from the recorded one. */
const OTHERWISE =
  'The client answered the server otherwise than in the recording, so the next messages of the server are not known.'

/** The error for a client whose request has no answer. */
function errorOf(text: string): McpMessage {
  return { error: { code: -32_000, message: `${REFUSAL_MARK} ${text}` } }
}

/**
 * The error where a client answers a server that does not run, so that the recording cannot go on.
 *
 * @param method what the server asked for: `elicitation/create`, `sampling/createMessage`
 * @param difference in one line
 */
function leftRecording(server: string, method: string, difference: string): CassetteError {
  return new CassetteError(
    'miss',
    `The answer to ${method} of the MCP server ${server} differs from the recording\n` +
      `${difference}\n` +
      'A tool call that is replayed cannot be continued live. Record the whole test again:',
  )
}
