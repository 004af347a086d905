import type { ClientRequest, Server } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { withWholeTarget } from '../call/whole-target.ts'
import { meantRequest, readRequest, writeResponse } from '../../gateway/http-exchange.ts'
import { addressOfRequest, isRequestOptions } from './request-arguments.ts'

/** Takes the requests of `node:http` and `node:https` in Bun. */
export interface HttpAnswers {
  isTaken(method: string, url: string): boolean
  answer(request: Request): Promise<Response>
}

type Send = (...args: unknown[]) => ClientRequest

/** What a client may call on its connection beside what a stream has. */
const OF_SOCKETS = ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref']

/**
 * Bridges LLM calls of `node:http` and `node:https` to the handler: their client gets a connection in memory, with a
 * server of Node's at its other end. MSW knows the sockets of Node alone. Returns a function that removes the bridge.
 */
export function bridgeHttp(answers: HttpAnswers): () => void {
  const undo = (['node:http', 'node:https'] as const).flatMap((name) => {
    const protocol = name.slice('node:'.length) + ':'
    const module = builtin(name) as unknown as Record<string, Send>
    const bridged = (args: unknown[]): unknown[] =>
      bridgedArguments(args, protocol, answers) ?? args
    const patches = ['request', 'get'].map((way) =>
      replaceOnce(module, way, (send) => {
        return (...args) => send(...bridged(args))
      }),
    )
    if (!('ClientRequest' in module)) return patches
    const construct = (Class: object): Send =>
      new Proxy(Class as Send, {
        apply: (target, _this, args) => target(...bridged(args)),
        construct: (target, args, newTarget) =>
          Reflect.construct(target, bridged(args), newTarget) as object,
      })
    return [...patches, replaceOnce(module, 'ClientRequest', construct)]
  })
  return () => undo.forEach((end) => end())
}

/** The arguments of a request that is taken, with the connection in memory; `undefined` for all others. */
function bridgedArguments(
  args: unknown[],
  protocol: string,
  { isTaken, answer }: HttpAnswers,
): unknown[] | undefined {
  const options = args.find(isRequestOptions) ?? {}
  const url = addressOfRequest(args[0], options, options.protocol ?? protocol)
  if (!isTaken(options.method?.toUpperCase() ?? 'GET', url.href)) return undefined
  const createConnection = (): Duplex => serveInMemory(url, answer)
  const bridged = { ...options, agent: undefined, createConnection }
  const others = args.filter((one) => !isRequestOptions(one))
  const at = typeof others[0] === 'function' ? 0 : 1
  return isRequestOptions(args[0]) ? [bridged, ...others] : others.toSpliced(at, 0, bridged)
}

function serveInMemory({ origin }: URL, answer: HttpAnswers['answer']): Duplex {
  const [client, connection] = duplexPair({ allowHalfOpen: false })
  client.on('error', () => {})
  connection.on('error', () => {})
  for (const name of OF_SOCKETS) Object.assign(client, { [name]: () => client })
  const server: Server = builtin('node:http').createServer((incoming, outgoing) => {
    const answering = async (): Promise<void> => {
      const arrived = await readRequest(incoming, outgoing)
      await writeResponse(
        await answer(meantRequest(arrived, origin + withWholeTarget(incoming.url ?? '/'))),
        outgoing,
      )
    }
    void answering().catch(() => outgoing.destroy())
  })
  server.emit('connection', connection)
  return client
}
