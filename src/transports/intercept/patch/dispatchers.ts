import { runInThisContext } from 'node:vm'

/** The keys of undici's global dispatcher: Node's own copy uses the first, newer copies from npm use both. */
const LEGACY = Symbol.for('undici.globalDispatcher.1')
const CURRENT = Symbol.for('undici.globalDispatcher.2')

type Dispatchers = Record<symbol, Dispatcher | undefined>
export type Dispatcher = { constructor: new (options?: object) => Dispatcher }

/** Dispatchers are in the main context, also where a test file has a context of its own. */
const dispatchers = runInThisContext('globalThis') as Dispatchers

/** The proxy of the environment, which {@link dropIdleSockets} took away from tests. */
let proxy: Dispatcher | undefined

/**
 * Drops the sockets that fetch opened before interception, which cannot see them: puts in a new dispatcher with the
 * same settings, and without a proxy. Leaves custom dispatchers alone. Returns a function that restores the proxy.
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

/** The dispatcher by which the proxy of the environment is used; `undefined` where there is none. */
export function proxyDispatcher(): Dispatcher | undefined {
  return proxy
}

/** The agent that sends for Node's own fetch. */
export function currentAgent(): Dispatcher | undefined {
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  return legacy && isWrapper(legacy) ? current : legacy
}

function renewed(agent: Dispatcher): Dispatcher {
  return new agent.constructor(optionsOf(agent))
}

/** The options of an agent, which it keeps for its pools. */
export function optionsOf(agent: Dispatcher): { connect?: unknown } | undefined {
  const symbols = Object.getOwnPropertySymbols(agent)
  const symbol = symbols.find(({ description }) => description === 'options')
  return symbol && (agent as unknown as Record<symbol, object>)[symbol]
}

/** A dispatcher for Node's own clients with options of its own; `undefined` where none can be made. */
export function newDispatcher(options: object = {}): Dispatcher | undefined {
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  if (!legacy) return undefined
  if (isAgent(legacy)) return new legacy.constructor(options)
  const wraps = isWrapper(legacy) && current && isAgent(current)
  return wraps ? new legacy.constructor(new current.constructor(options)) : undefined
}

/** True where a custom dispatcher, such as undici's MockAgent, decides how fetch sends a request. */
export function hasOwnDispatcher(init: object | undefined): boolean {
  if (init && 'dispatcher' in init && init.dispatcher) return true
  return nameOfDispatcher() !== undefined
}

/** The kind of the dispatcher that decides how fetch sends a request; `undefined` for a plain one. */
export function nameOfDispatcher(): string | undefined {
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  const isPlain = (one: Dispatcher): boolean => isAgent(one) || isWrapper(one) || isProxy(one)
  return [current, legacy].find((one) => one && !isPlain(one))?.constructor.name
}

function isAgent(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'Agent'
}

/** npm's copy wraps its own dispatcher for Node's. */
function isWrapper(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'Dispatcher1Wrapper'
}

/** The dispatcher of NODE_USE_ENV_PROXY. Its tunnels would hide the requests. */
function isProxy(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'EnvHttpProxyAgent'
}
