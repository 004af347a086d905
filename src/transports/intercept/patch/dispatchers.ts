import { builtin } from '../../../real/builtin.ts'
import { isInVmPool } from '../../../real/shared.ts'

/** The keys of undici's global dispatcher: Node's own copy uses the first, newer copies from npm use both. */
export const LEGACY = Symbol.for('undici.globalDispatcher.1')
export const CURRENT = Symbol.for('undici.globalDispatcher.2')

type Dispatchers = Record<symbol, Dispatcher | undefined>
export type Dispatcher = { constructor: new (options?: object) => Dispatcher }

/** Dispatchers are in the main context, also where a test file has a context of its own. */
export const dispatchers = (
  isInVmPool() ? builtin('node:vm').runInThisContext('globalThis') : globalThis
) as Dispatchers

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

function renewed(agent: Dispatcher): Dispatcher {
  return new agent.constructor(optionsOf(agent))
}

/** The options of an agent, which it keeps for its pools. */
export function optionsOf(agent: Dispatcher): { connect?: unknown } | undefined {
  const symbols = Object.getOwnPropertySymbols(agent)
  const symbol = symbols.find(({ description }) => description === 'options')
  return symbol && (agent as unknown as Record<symbol, object>)[symbol]
}

export function isAgent(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'Agent'
}

/** npm's copy wraps its own dispatcher for Node's. */
export function isWrapper(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'Dispatcher1Wrapper'
}

/** The dispatcher of NODE_USE_ENV_PROXY. Its tunnels would hide the requests. */
export function isProxy(dispatcher: Dispatcher): boolean {
  return dispatcher.constructor.name === 'EnvHttpProxyAgent'
}
