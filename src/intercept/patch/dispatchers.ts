import { runInThisContext } from 'node:vm'
import { connectOutside } from './connect-outside.ts'
import { areTimersFaked } from './next-turn.ts'
import { ownProxiesHere, type OwnProxies } from './own-proxies.ts'

/** Where undici keeps its global dispatcher: Node's own copy at the first, newer ones from npm at both. */
const LEGACY = Symbol.for('undici.globalDispatcher.1')
const CURRENT = Symbol.for('undici.globalDispatcher.2')

type Dispatchers = Record<symbol, Dispatcher | undefined>
type Dispatcher = { constructor: new (options?: object) => Dispatcher }

/** They are in the main context, also where a test file has one of its own. */
const dispatchers = runInThisContext('globalThis') as Dispatchers

let proxy: Dispatcher | undefined

/**
 * Drops the sockets that fetch opened before interception, which is past seeing them: a new dispatcher with the
 * same settings has none, nor a proxy between itself and us. Dispatchers of a kind of their own are left alone.
 * Returns what gives the proxy back.
 */
export function dropIdleSockets(): () => void {
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  if (current && isAgent(current)) dispatchers[CURRENT] = renewed(current)
  if (!legacy) return () => {}
  if (isAgent(legacy)) dispatchers[LEGACY] = renewed(legacy)
  if (isWrapper(legacy)) dispatchers[LEGACY] = new legacy.constructor(dispatchers[CURRENT])
  if (isProxy(legacy)) {
    proxy = legacy
    dispatchers[LEGACY] = new legacy.constructor({ noProxy: '*' })
  }
  return () => {
    if (isProxy(legacy)) dispatchers[LEGACY] = legacy
  }
}

/**
 * What recording sends with where it does not go past MSW: through the proxy of the environment, without which
 * tests do, and without idle connections while timers are faked, as fetch takes those up with a timer.
 */
export function upstreamDispatcher(): object {
  if (proxy) return { dispatcher: proxy }
  const own = ownProxiesHere()
  if (own) return { dispatcher: newDispatcher({ connect: connectorBy(own) }) }
  return areTimersFaked() ? { dispatcher: newDispatcher() } : {}
}

/** By what the application sends with, and by which proxies of the user. */
const outside = new WeakMap<Dispatcher, Map<string, Dispatcher>>()

/** Opens connections by the proxies of the user, where they are named. */
function connectorBy(own: OwnProxies | undefined): unknown {
  return (target: Target, done: Connector) => connectOutside(target, done, own)
}

type Target = Parameters<typeof connectOutside>[0]
type Connector = Parameters<typeof connectOutside>[1]

/**
 * What recording sends with past MSW, like what the application sends with; `undefined` where that has a proxy
 * or a way of its own to connect.
 */
export function outsideDispatcher(): Dispatcher | undefined {
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  const agent = legacy && isWrapper(legacy) ? current : legacy
  if (!agent || proxy || hasOwnDispatcher(undefined)) return undefined
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

function renewed(agent: Dispatcher): Dispatcher {
  return new agent.constructor(optionsOf(agent))
}

/** What an agent was made with, which it keeps for the pools that it makes. */
function optionsOf(agent: Dispatcher): { connect?: unknown } | undefined {
  const symbols = Object.getOwnPropertySymbols(agent)
  const symbol = symbols.find(({ description }) => description === 'options')
  return symbol && (agent as unknown as Record<symbol, object>)[symbol]
}

/** A dispatcher for Node's own clients with a way of its own to connect; `undefined` where none can be made. */
export function dispatcherWith(connect: (options: object, done: Connected) => void): unknown {
  return newDispatcher({ connect })
}

function newDispatcher(options: object = {}): Dispatcher | undefined {
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  if (!legacy) return undefined
  if (isAgent(legacy)) return new legacy.constructor(options)
  const wraps = isWrapper(legacy) && current && isAgent(current)
  return wraps ? new legacy.constructor(new current.constructor(options)) : undefined
}

/** True where somebody else decides how a request through fetch is sent, as undici's MockAgent does. */
export function hasOwnDispatcher(init: object | undefined): boolean {
  if (init && 'dispatcher' in init && init.dispatcher) return true
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  const isPlain = (one: Dispatcher | undefined): boolean =>
    !one || isAgent(one) || isWrapper(one) || isProxy(one)
  return !isPlain(legacy) || !isPlain(current)
}

type Connected = (error: null, socket: object) => void

function isAgent(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'Agent'
}

/** npm's copy wraps its own dispatcher for Node's. */
function isWrapper(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'Dispatcher1Wrapper'
}

/** What NODE_USE_ENV_PROXY puts there: its tunnels would hide what is asked. */
function isProxy(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'EnvHttpProxyAgent'
}
