import {
  CURRENT,
  type Dispatcher,
  dispatchers,
  isAgent,
  isProxy,
  isWrapper,
  LEGACY,
} from './dispatchers.ts'

/** The agent that sends for Node's own fetch. */
export function currentAgent(): Dispatcher | undefined {
  const { [LEGACY]: legacy, [CURRENT]: current } = dispatchers
  return legacy && isWrapper(legacy) ? current : legacy
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
  for (const one of [current, legacy])
    if (one && !isAgent(one) && !isWrapper(one) && !isProxy(one)) return one.constructor.name
  return undefined
}
