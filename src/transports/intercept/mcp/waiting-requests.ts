import type { JsonValue } from '../../../json/json-value.ts'
import { isAnswering, type McpMessage, progressTokenOf } from '../../../wire/mcp-messages.ts'
import type { WireResponse } from '../../../wire/message.ts'
import { runInScope, type Scope } from '../../scope.ts'
import type { McpRecording } from './mcp-recording.ts'

export type Deliver = (message: McpMessage) => void

/** A request of a client that waits for its answer. */
export interface WaitingRequest {
  id: JsonValue
  /** The token of its progress notifications. */
  token?: JsonValue
  scope: Scope | undefined
  /** Sends messages of the server to the client. */
  deliver: Deliver
  /** Its recording, where it is sent to the server. */
  recording?: McpRecording
  /** Settles the request. */
  end(failure?: WireResponse): void
}

/** The waiting requests of one client, in order. */
export class WaitingRequests {
  readonly #all: Set<WaitingRequest> = new Set()
  /** The latest request to the server. Messages that name no request belong to it. */
  lastSent?: WaitingRequest

  /**
   * Adds a request.
   *
   * @param signal aborts when its client gives up
   * @param ended is called with an answer that is no message, where it gets one
   */
  add(
    message: McpMessage,
    scope: Scope | undefined,
    deliver: Deliver,
    signal: AbortSignal | null | undefined,
    ended: (failure?: WireResponse) => void,
  ): WaitingRequest {
    const leave = (): void => giveUp(request)
    const request: WaitingRequest = {
      id: message.id!,
      token: progressTokenOf(message),
      scope,
      deliver: (said) => (scope ? runInScope(scope, () => deliver(said)) : deliver(said)),
      end: (failure) => {
        this.#all.delete(request)
        signal?.removeEventListener('abort', leave)
        ended(failure)
      },
    }
    this.#all.add(request)
    signal?.addEventListener('abort', leave)
    return request
  }

  has(request: WaitingRequest): boolean {
    return this.#all.has(request)
  }

  /** The request that a message of the server belongs to. */
  findFor(message: McpMessage): WaitingRequest | undefined {
    const all = [...this.#all]
    if (isAnswering(message)) return all.findLast(({ id }) => isSame(id, message.id))
    const token = progressTokenOf(message)
    const withToken =
      token === undefined ? undefined : all.findLast((one) => isSame(one.token, token))
    const { lastSent: last } = this
    return withToken ?? (last && this.#all.has(last) ? last : (all.at(-1) ?? last))
  }

  /** Ends a request that the client has given up; without an id, all of them. */
  giveUp(id?: JsonValue): void {
    for (const request of this.#all) if (id === undefined || isSame(request.id, id)) giveUp(request)
  }

  /** Fails the open requests, since the server has ended. */
  breakOff(error: Error): void {
    for (const { recording, end } of this.#all) {
      recording?.fail(error)
      end()
    }
  }
}

function giveUp({ recording, end }: WaitingRequest): void {
  recording?.giveUp()
  end()
}

/** Ids are numbers or texts. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A request of a server, which its client has not answered yet. */
interface ServerRequest {
  scope?: Scope
  method?: string
  /** Whether the cassette sends it, since the server does not run. */
  isReplayed?: boolean
  settle?: (isSame: boolean) => void
}

/** The requests of servers to their client, such as sampling. */
export class ServerRequests {
  readonly #open: Map<string, ServerRequest> = new Map()
  #count = 0

  /** Notes a request of a server. */
  note({ id, method }: McpMessage, scope: Scope | undefined): void {
    this.#open.set(JSON.stringify(id), { scope, method: String(method) })
  }

  /** Gives a recorded request an id that no server uses. */
  replay(message: McpMessage, scope: Scope | undefined): { id: string; replied: Promise<boolean> } {
    const id = `vitest-cassette-${++this.#count}`
    const { promise: replied, resolve: settle } = Promise.withResolvers<boolean>()
    const method = String(message.method)
    this.#open.set(JSON.stringify(id), { scope, method, isReplayed: true, settle })
    return { id, replied }
  }

  /** Waits for the answer of the server to a request of this package. */
  wait(id: string): Promise<boolean> {
    const { promise, resolve: settle } = Promise.withResolvers<boolean>()
    this.#open.set(JSON.stringify(id), { settle })
    return promise
  }

  /** Takes the request with an id, once. */
  take(id: JsonValue | undefined): ServerRequest | undefined {
    const key = JSON.stringify(id)
    const found = this.#open.get(key)
    this.#open.delete(key)
    return found
  }
}
