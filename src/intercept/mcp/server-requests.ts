import type { JsonValue } from '../../json/json-value.ts'
import type { McpMessage } from '../../wire/mcp.ts'
import type { Scope } from '../context/scope.ts'

/** A request of a server, which its client has not answered yet. */
interface ServerRequest {
  scope?: Scope
  method?: string
  /** The server does not run: it is the cassette that asks. */
  isReplayed?: boolean
  settle?: (isSame: boolean) => void
}

/** What servers ask their client, such as to ask a model for them. */
export class ServerRequests {
  readonly #open: Map<string, ServerRequest> = new Map()
  #count = 0

  /** Remembers what a server asks. */
  note({ id, method }: McpMessage, scope: Scope | undefined): void {
    this.#open.set(JSON.stringify(id), { scope, method: String(method) })
  }

  /** Asks what was recorded, by an id that no server gives. */
  replay(message: McpMessage, scope: Scope | undefined): { id: string; replied: Promise<boolean> } {
    const id = `vitest-cassette-${++this.#count}`
    const { promise: replied, resolve: settle } = Promise.withResolvers<boolean>()
    const method = String(message.method)
    this.#open.set(JSON.stringify(id), { scope, method, isReplayed: true, settle })
    return { id, replied }
  }

  /** Waits for an answer of the server to a request that nobody made. */
  wait(id: string): Promise<boolean> {
    const { promise, resolve: settle } = Promise.withResolvers<boolean>()
    this.#open.set(JSON.stringify(id), { settle })
    return promise
  }

  /** What is answered by an id, once. */
  take(id: JsonValue | undefined): ServerRequest | undefined {
    const key = JSON.stringify(id)
    const found = this.#open.get(key)
    this.#open.delete(key)
    return found
  }
}
