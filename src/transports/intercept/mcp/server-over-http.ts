import { web } from '../../../real/web.ts'
import type { JsonValue } from '../../../json/json-value.ts'
import { redactorFor } from '../../../secrets/redactor.ts'
import { writeBody } from '../../../wire/body.ts'
import { loadEventParser } from '../../../wire/event-stream.ts'
import { keepHeaders, readBody } from '../../../wire/read-body.ts'
import { isAnswering, isAsking, parseMcp, type McpMessage } from '../../../wire/mcp-messages.ts'
import type { WireResponse } from '../../../wire/message.ts'
import type { SentHeaders } from '../../../secrets/wire-request.ts'
import {
  decodedHeaders,
  fetchPastInterception,
  withoutHopHeaders,
} from '../http/fetch-past-interception.ts'
import { otherHost } from '../http/headers.ts'
import { McpConversation } from './mcp-conversation.ts'

/** The header with the id of a session, which the server chooses. */
export const SESSION_HEADER = 'mcp-session-id'

/** An MCP server over HTTP, with one client. */
export class ServerOverHttp {
  readonly name: string
  readonly conversation: McpConversation
  /** The id of its latest session. */
  session?: string
  readonly #url: string
  /** The latest headers of its client, with its credentials. */
  #headers: SentHeaders = new web.Headers()

  /** @param name the name of the server in the option */
  constructor(name: string, url: string) {
    this.name = name
    this.#url = url
    this.conversation = new McpConversation({
      server: name,
      send: (message, from) => this.#post(message, from),
      redactor: (session) => {
        const { params, config } = session
        const url = new URL(this.#url)
        return params.around(redactorFor(this.#headers, url, config.redact, process.env, session))
      },
    })
  }

  /** Notes the headers of one more request. The client can have changed, and its credentials too. */
  heard(headers: SentHeaders): void {
    this.#headers = headers
  }

  /** Opens the stream for messages of the server, or ends its session. */
  async ask(method: 'GET' | 'DELETE', signal?: AbortSignal | null): Promise<Response> {
    const response = await this.#fetch(method, null, signal)
    const { status, statusText, headers, body } = response
    const isStream = body && (headers.get('content-type') ?? '').startsWith('text/event-stream')
    const content = isStream ? this.#listenTo(body) : body
    const init = { status, statusText, headers: decodedHeaders(response) }
    return new web.Response(status === 204 ? null : content, init)
  }

  async #post(message: McpMessage, from?: object): Promise<WireResponse | undefined> {
    const response = await this.#fetch('POST', JSON.stringify(message))
    this.session = response.headers.get(SESSION_HEADER) ?? this.session
    const type = response.headers.get('content-type') ?? ''
    const id = isAsking(message) ? message.id : undefined
    if (response.status >= 400) return failureOf(response, type)
    if (type.startsWith('text/event-stream')) await this.#readStream(response.body!, id, from)
    else
      for (const said of parseMcp(await response.text()) ?? []) this.conversation.hear(said, from)
    return undefined
  }

  /** Reads the answers of a stream. Where it breaks off early, asks the server for the rest. */
  async #readStream(
    stream: ReadableStream<Uint8Array>,
    id: JsonValue | undefined,
    from: object | undefined,
  ): Promise<void> {
    const key = JSON.stringify(id)
    let last: string | undefined
    let isAnswered = false
    for (let body: ReadableStream<Uint8Array> | null = stream; body;) {
      const feed = eventReader(({ messages, id }) => {
        last = id ?? last
        for (const message of messages) {
          isAnswered ||= isAnswering(message) && JSON.stringify(message.id) === key
          this.conversation.hear(message, from)
        }
      })
      for await (const chunk of body) feed(chunk)
      if (isAnswered || id === undefined) return
      if (last === undefined) break
      const next = await this.#fetch('GET', null, null, last)
      body = next.ok ? next.body : null
    }
    throw new Error('the server ended its answer before it had answered')
  }

  #listenTo(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const feed = eventReader(({ messages }) => {
      for (const message of messages) this.conversation.hear(message, undefined, true)
    })
    const tap = new web.TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        feed(chunk)
        controller.enqueue(chunk)
      },
    })
    return stream.pipeThrough(tap)
  }

  #fetch(
    method: string,
    body: string | null,
    signal?: AbortSignal | null,
    after?: string,
  ): Promise<Response> {
    const headers = new web.Headers(withoutHopHeaders(this.#headers))
    const host = otherHost(this.#url, this.#headers)
    if (host !== undefined) headers.set('host', host)
    headers.delete('content-encoding')
    // The session of the client can be one that this package made up.
    headers.delete(SESSION_HEADER)
    if (this.session !== undefined) headers.set(SESSION_HEADER, this.session)
    if (after !== undefined) headers.set('last-event-id', after)
    if (method === 'GET') headers.set('accept', 'text/event-stream')
    return fetchPastInterception(this.#url, { method, headers, body, signal })
  }
}

/** Reads a stream of events, a chunk at a time. */
function eventReader(
  hear: (event: { messages: McpMessage[]; id?: string }) => void,
): (chunk: Uint8Array) => void {
  const parser = loadEventParser().createParser({
    onEvent: ({ data, id }) => hear({ messages: parseMcp(data) ?? [], id }),
  })
  const decoder = new TextDecoder()
  return (chunk) => parser.feed(decoder.decode(chunk, { stream: true }))
}

/** The headers of answers that are no messages. A client that has to sign in reads them. */
const headersOf = new WeakMap<WireResponse, Headers>()

/** The HTTP response for an answer that is no message. */
export function failedResponse(failure: WireResponse): Response {
  const { status, body, headers } = failure
  const content = Buffer.concat(writeBody(body))
  return new web.Response(content, { status, headers: headersOf.get(failure) ?? headers })
}

/** An answer without a message tells by its status. */
async function failureOf(response: Response, type: string): Promise<WireResponse> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  const failure = { status, headers: keepHeaders(headers), body: readBody(bytes, type) }
  headersOf.set(failure, decodedHeaders(response))
  return failure
}
