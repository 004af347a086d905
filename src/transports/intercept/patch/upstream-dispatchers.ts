import { connectOutside } from './connect-outside.ts'
import {
  currentAgent,
  hasOwnDispatcher,
  newDispatcher,
  optionsOf,
  proxyDispatcher,
  type Dispatcher,
} from './dispatchers.ts'
import { areTimersFaked } from '../../../real/next-turn.ts'
import { isBesideProxies, ownProxiesHere, type OwnProxies } from './own-proxies.ts'

/**
 * The options with which a recording sends through MSW: through the proxy of the environment, which tests do not use,
 * and without idle connections while timers are faked, since fetch reuses those with a timer.
 */
export function upstreamDispatcher(url: string): object {
  const proxy = proxyDispatcher()
  if (proxy && !isBesideProxies(url)) return { dispatcher: proxy }
  const own = ownProxiesHere()
  if (own) return { dispatcher: newDispatcher({ connect: connectorBy(own) }) }
  return areTimersFaked() ? { dispatcher: newDispatcher() } : {}
}

/** The dispatchers of recordings, by the dispatcher of the application and the proxies of the user. */
const outside = new WeakMap<Dispatcher, Map<string, Dispatcher>>()

/** Opens connections by the proxies of the user, where they are named. */
function connectorBy(own: OwnProxies | undefined): unknown {
  return (target: Target, done: Connector) => connectOutside(target, done, own)
}

type Target = Parameters<typeof connectOutside>[0]
type Connector = Parameters<typeof connectOutside>[1]

/**
 * The dispatcher with which a recording sends past MSW, with the settings of the application's own; `undefined` where
 * that one has a proxy or connects in its own way.
 */
export function outsideDispatcher(): Dispatcher | undefined {
  const agent = currentAgent()
  if (!agent || proxyDispatcher() || hasOwnDispatcher(undefined)) return undefined
  const options = optionsOf(agent)
  if (!options || options.connect) return undefined
  const own = ownProxiesHere()
  const make = (): Dispatcher | undefined =>
    newDispatcher({ ...options, connect: connectorBy(own) })
  if (areTimersFaked()) return make()
  const known = outside.get(agent) ?? new Map<string, Dispatcher>()
  outside.set(agent, known)
  const key = own ? JSON.stringify(own) : ''
  const dispatcher = known.get(key) ?? make()
  if (dispatcher) known.set(key, dispatcher)
  return dispatcher
}
