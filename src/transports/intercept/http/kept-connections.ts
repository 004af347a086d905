import type { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { SocketInterceptor } from '@mswjs/interceptors/net'
import { inRealWorld } from '../../../real/real-world.ts'

/** A socket of MSW's, which reads what its client writes by this function. */
interface Written {
  destroy(error: Error): unknown
  _writeGeneric(...args: unknown[]): unknown
}

/**
 * Lets MSW read requests by the real functions of Node: where it cannot, it lets them pass. What it does later, it does
 * in the world of the test.
 */
function readInRealWorld({ socket }: { socket: Written }, refuseFakes: () => void): void {
  const write = socket._writeGeneric
  socket._writeGeneric = (...args) => {
    try {
      refuseFakes()
    } catch (error) {
      return socket.destroy(error as Error)
    }
    return inRealWorld(() => write(...args))
  }
}

/**
 * Keeps our answers whole on a connection on which MSW let an earlier request pass. The server there sees it idle, and
 * may close it in the middle of our answer. So an answer holds back the data and the end that the server sends, and is
 * the last on its connection. Returns a function that ends this.
 *
 * @param enable opens the network, which has to see requests after this does, and connections before
 * @param refuseFakes throws where the world of the test is too broken for MSW
 */
export function shieldAnswers(
  interceptor: HttpRequestInterceptor,
  enable: () => void,
  refuseFakes: () => void,
): () => void {
  const withServer = new WeakMap<object, { corkReads(): void }>()
  const ended = new AbortController()
  const { signal } = ended
  interceptor.on(
    'request',
    ({ initiator, controller }) => {
      const connection = withServer.get(initiator as object)
      if (!connection) return
      const { respondWith } = controller
      controller.respondWith = (response) => {
        connection.corkReads()
        if (response.type !== 'error') response.headers.set('connection', 'close')
        respondWith.call(controller, response)
      }
    },
    { signal },
  )
  enable()
  SocketInterceptor.singleton(SocketInterceptor).on(
    'connection',
    ({ socket, controller }) => {
      readInRealWorld(controller as unknown as { socket: Written }, refuseFakes)
      const { passthrough } = controller
      controller.passthrough = (flush) => {
        withServer.set(socket, controller)
        return passthrough.call(controller, flush)
      }
    },
    { signal },
  )
  return () => ended.abort()
}
