import type { ServedRequest } from './serve-connection.ts'

/** What takes requests for the mocks of others: an interceptor of MSW's library, of any of its copies. */
interface Interceptor {
  listeners?(type: 'request'): unknown[]
  emitter?: { listeners(type: 'request'): unknown[] }
}

type Listener = (event: object) => unknown

/** A request that is settled once. */
type Settled = Pick<ServedRequest, 'fail' | 'isSettled' | 'respond'>

/** All interceptors here. All copies share a list; those before 0.43 put each one at a symbol of the global object. */
function interceptorsHere(): Interceptor[] {
  const { __MSW_INTERCEPTORS_REGISTRY: known } = globalThis as {
    __MSW_INTERCEPTORS_REGISTRY?: Map<unknown, Interceptor>
  }
  const older = Object.getOwnPropertySymbols(globalThis)
    .filter(({ description = '' }) => /interceptor|^fetch$|^xhr$/.test(description))
    .map((key) => (globalThis as unknown as Record<symbol, Partial<Interceptor>>)[key])
    .filter((one) => typeof one?.emitter?.listeners === 'function')
  return [...(known?.values() ?? []), ...(older as Interceptor[])]
}

function listenersHere(): Set<Listener> {
  const listeners = interceptorsHere().flatMap(
    (one) => one.listeners?.('request') ?? one.emitter!.listeners('request'),
  )
  return new Set(listeners as Listener[])
}

/** Whether others may answer a request. */
export function othersListen(): boolean {
  return listenersHere().size > 0
}

let last = 0

/** Lets the mocks of others answer a request first: those of the user's own MSW, or of nock. Resolves to whether one did. */
export async function askOthers(request: Request, asked: Settled): Promise<boolean> {
  for (const listener of listenersHere()) {
    // Whoever reads its body leaves none to the others.
    const copy = request.clone()
    const controller = {
      request: copy,
      readyState: 0,
      respondWith(response: Response) {
        controller.readyState = 2
        asked.respond(response)
      },
      errorWith(reason?: unknown) {
        controller.readyState = 3
        if (reason instanceof Response) asked.respond(reason)
        else if (!asked.isSettled) asked.fail(reason as Error)
      },
      passthrough() {
        controller.readyState = 1
      },
    }
    const requestId = `vitest-cassette-${++last}`
    await listener({ type: 'request', initiator: copy, requestId, request: copy, controller })
    if (asked.isSettled) return true
  }
  return false
}
