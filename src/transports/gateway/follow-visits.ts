import { subscribe } from 'node:diagnostics_channel'
import { Server, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { enterScope, runInScope, type Scope } from '../scope.ts'
import { replaceOnce } from '../../real/builtin.ts'
import { readVisitor } from './read-visitor.ts'

/** A request to this server, which interception carries along to the LLM calls made for it. */
interface Visit {
  base: string
}

/** The base at the gateway for calls of a scope, which a request to this server has named. */
export function baseOfVisit(scope: Scope | undefined): string | undefined {
  return (scope as unknown as Visit | undefined)?.base
}

/**
 * Lets the code that answers a request to a server of this process run in the scope of the test that the request names.
 *
 * @param note called with the host of each gateway
 */
export function followVisits(note: (host: string) => void): void {
  const scopeOf = ({ headers }: IncomingMessage): Scope | undefined => {
    const base = readVisitor((name) => headers[name])
    if (base === undefined) return undefined
    note(new URL(base).host)
    // Interception in this process only carries scopes along, and reads none.
    return { base } as Visit as unknown as Scope
  }
  subscribe('http.server.request.start', (message) =>
    enterScope(scopeOf((message as { request: IncomingMessage }).request)),
  )
  // The events of a page's WebSocket run in the scope of its test.
  replaceOnce(Server.prototype, 'emit', (emit) => {
    return function (this: Server, event: string, ...args: unknown[]) {
      if (event === 'upgrade') {
        const [request, socket] = args as [IncomingMessage, Duplex]
        const scope = scopeOf(request)
        enterScope(scope)
        const emitThere = socket.emit as (...said: unknown[]) => boolean
        socket.emit = ((...said: unknown[]) =>
          runInScope(scope as Scope, () =>
            Reflect.apply(emitThere, socket, said),
          )) as typeof socket.emit
      }
      return Reflect.apply(emit, this, [event, ...args]) as boolean
    } as typeof emit
  })
}
