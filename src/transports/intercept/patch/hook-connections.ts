import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { builtin, replaceAbove, replaceOnce } from '../../../real/builtin.ts'
import { currentScope } from '../../scope.ts'
import type { ConnectionTaker } from '../connection/take-connections.ts'
import { type Loaded, outside } from './outside-of-msw.ts'
import { whenLoaded } from './when-loaded.ts'

/** A function of Node, as `Reflect.apply` calls it. */
type Own = (this: unknown, ...args: unknown[]) => unknown

/** The questions by which clients look a host up before they connect to its address. */
const QUESTIONS = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveTxt']

/** What clients tell of the requests for which they connect. */
const CHANNELS = ['undici:client:beforeConnect', 'http.client.request.created']

/**
 * Hands every connection that is about to be made here to a taker, which loads at the first of them. Returns a function
 * that ends this.
 */
export function hookConnections(load: () => ConnectionTaker): () => void {
  let taker: ConnectionTaker | undefined
  const taken = (): ConnectionTaker => (taker ??= load())
  // `node:http` tells of the connection that was begun last, which has loaded it.
  const hear = (message: unknown, channel: string | symbol): void => {
    const isAbout = channel === CHANNELS[0] ? currentScope() !== 'upstream' : taker !== undefined
    if (isAbout) taken().listeners[String(channel)]!(message as never)
  }
  const { prototype } = builtin('node:net').Socket as unknown as { prototype: { connect: Own } }
  const hook = (name: 'connect' | 'connectTls' | 'addRequest', own: Own): Own => {
    const hooked: Own = function (...args) {
      return outside.isNow || currentScope() === 'upstream'
        ? Reflect.apply(own, this, args)
        : taken().take(name, this, args, own, prototype.connect === hooked)
    }
    return hooked
  }
  const ends = [
    // Bound, since every file that asks a model pays for each function that runs.
    replaceOnce(prototype, 'connect', hook.bind(undefined, 'connect')),
    // Node's own modules load it past what tells of loading.
    whenLoaded(['node:tls', 'node:https', 'node:http2'], () => {
      const tls = builtin('node:tls') as unknown as { connect: Own }
      return replaceOnce(tls, 'connect', hook.bind(undefined, 'connectTls'))
    }),
    whenLoaded(
      ['node:http', 'node:https'],
      () => {
        const agents = builtin('node:http').Agent.prototype as unknown as { addRequest: Own }
        return replaceOnce(agents, 'addRequest', hook.bind(undefined, 'addRequest'))
      },
      'keeps exports',
    ),
    whenLoaded(['node:dns', 'node:dns/promises'], () => {
      const dns = builtin('node:dns')
      const ways = [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]
      const undo = (ways as unknown as Array<Record<string, Own>>).flatMap((way, at) =>
        QUESTIONS.filter((name) => typeof way[name] === 'function').map((name) =>
          // The guard lies below, which has replaced it already.
          replaceAbove(way, name, (own) => {
            return function (...args) {
              return outside.isNow || currentScope() === 'upstream'
                ? Reflect.apply(own, this, args)
                : taken().lookUp(name, this, args, own, at % 2 === 1)
            }
          }),
        ),
      )
      return () => undo.forEach((end) => end())
    }),
    () => taker?.close(),
  ]
  for (const channel of CHANNELS) subscribe(channel, hear)
  if ((globalThis as Loaded).__MSW_INTERCEPTORS_REGISTRY) ends.push(taken().holdOthers())
  return () => {
    for (const end of ends) end()
    for (const channel of CHANNELS) unsubscribe(channel, hear)
  }
}
