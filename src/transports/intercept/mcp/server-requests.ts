import type { JsonValue } from '../../../json/json-value.ts'
import type { McpMessage } from '../../../wire/mcp-messages.ts'
import type { Scope } from '../../scope.ts'

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
