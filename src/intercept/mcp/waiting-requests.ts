import type { JsonValue } from '../../json/json-value.ts'
import { isAnswering, progressTokenOf, type McpMessage } from '../../wire/mcp.ts'
import type { WireResponse } from '../../wire/message.ts'
import { runInScope, type Scope } from '../context/scope.ts'
import type { McpRecording } from './mcp-recording.ts'

export type Deliver = (message: McpMessage) => void

/** A request of a client that waits for its answer. */
export interface WaitingRequest {
  id: JsonValue
  /** By which the client knows its progress. */
  token?: JsonValue
  scope: Scope | undefined
  /** Brings the client what the server says to it. */
  deliver: Deliver
  /** Where it is sent to the server, and kept. */
  recording?: McpRecording
  /** Nothing more comes. */
  end(failure?: WireResponse): void
}

/** The requests of one client that wait, in the order asked. */
export class WaitingRequests {
  readonly #all: Set<WaitingRequest> = new Set()
  /** That which was sent to the server last: what comes without a reason belongs to it. */
  lastSent?: WaitingRequest

  /**
   * Lets a request wait.
   *
   * @param signal says that its client does no longer
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

  /** The request to which a server says something. */
  findFor(message: McpMessage): WaitingRequest | undefined {
    const all = [...this.#all]
    if (isAnswering(message)) return all.findLast(({ id }) => isSame(id, message.id))
    const token = progressTokenOf(message)
    const told = token === undefined ? undefined : all.findLast((one) => isSame(one.token, token))
    const { lastSent: last } = this
    return told ?? (last && this.#all.has(last) ? last : (all.at(-1) ?? last))
  }

  /** The client waits no longer for one of them, or for none. */
  giveUp(id?: JsonValue): void {
    for (const request of this.#all) if (id === undefined || isSame(request.id, id)) giveUp(request)
  }

  /** The server has ended, and answers nothing more. */
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
