import { web } from '../../../real/web.ts'
import type { Socket } from 'node:net'
import type { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import type { HttpHandler } from 'msw/http'
import { builtin } from '../../../real/builtin.ts'
import type { Registry } from '../patch/outside-of-msw.ts'

/** How MSW notes that a request got its response. */
const ANSWERED = 2

/** An agent of `node:http`, with a method that Node does not document. MSW replaces it, too. */
interface Agent {
  addRequest(...args: unknown[]): unknown
  freeSockets: Record<string, readonly Socket[] | undefined>
}

/**
 * Lets the mocks of other users of MSW answer what is theirs, as if the network were not there. Loads when there is one.
 * Returns a function that ends this.
 *
 * @param handler the one of the network, which sees all requests
 * @param users the interceptors of all who use MSW
 */
export function shareNetwork(
  interceptor: HttpRequestInterceptor,
  handler: HttpHandler,
  users: Registry,
): () => void {
  const ended = new web.AbortController()
  const controllers = new WeakMap<Request, { readyState: number }>()
  interceptor.on(
    'request',
    ({ request, controller }) => void controllers.set(request, controller),
    { signal: ended.signal },
  )
  const { run } = handler
  handler.run = async (args) => {
    const { request } = args
    // Of one request, whoever reads its body first leaves none to the others.
    return controllers.get(request)?.readyState === ANSWERED
      ? null
      : run.call(handler, { ...args, request: request.clone() })
  }
  const endRenewal = renewSockets(users)
  return () => {
    endRenewal()
    handler.run = run
    ended.abort()
  }
}

/**
 * Closes the idle sockets of an agent when a user of MSW has begun or ended since its last request. Only a new connection
 * asks all who listen: on one of the network the mocks of a later user would not answer, and one that a mock has answered
 * would fail without it.
 */
function renewSockets(users: Registry): () => void {
  const prototype = builtin('node:http').Agent.prototype as unknown as Agent
  const { addRequest } = prototype
  const seen = new WeakMap<Agent, unknown[]>()
  let isOpen = true
  const renewed = function (this: Agent, ...args: unknown[]): unknown {
    if (isOpen) {
      const now = [...users.values()].flatMap((one) => one.listeners('request'))
      const before = seen.get(this) ?? []
      seen.set(this, now)
      if (now.length !== before.length || now.some((one, at) => one !== before[at]))
        for (const sockets of Object.values(this.freeSockets))
          for (const socket of sockets ?? []) socket.destroy()
    }
    return Reflect.apply(addRequest, this, args)
  }
  prototype.addRequest = renewed
  return () => {
    isOpen = false
    // Others that lie above it would put it back.
    if (prototype.addRequest === renewed) prototype.addRequest = addRequest
  }
}
