import { shared } from './shared.ts'

/** MSW's own way to open a connection that its interceptor lets alone; there once it is loaded. */
interface ConnectionContext {
  run<Result>(connect: () => Result): Result
}

/** What MSW keeps of its interceptors, which those of all its users share. */
type Registry = Map<unknown, { listenerCount(type: 'request'): number }>

const state = shared('outside-of-msw', () => ({ isOutside: false, networks: 0 }))

interface Loaded {
  __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
  __MSW_INTERCEPTORS_REGISTRY?: Registry
}

/** Counts a network of this package among those who intercept with MSW; returns what ends it. */
export function countNetwork(): () => void {
  state.networks++
  return () => void state.networks--
}

/** Whether somebody beside this package intercepts with MSW, and may have a word in what is sent. */
export function othersIntercept(): boolean {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: isLoaded, __MSW_INTERCEPTORS_REGISTRY: registry } =
    globalThis as Loaded
  if (!registry) return isLoaded !== undefined
  const listening = Array.from(registry.values(), (source) => source.listenerCount('request'))
  return listening.reduce((sum, count) => sum + count, 0) > state.networks
}

/** Opens one connection that MSW's interceptor does not see, and that is no reason to load it. */
export function outsideOfMsw<Result>(connect: () => Result): Result {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = globalThis as Loaded
  if (context) return context.run(connect)
  state.isOutside = true
  try {
    return connect()
  } finally {
    state.isOutside = false
  }
}

/** Whether a connection that is opened now is not for MSW. */
export function isOutsideOfMsw(): boolean {
  return state.isOutside
}
