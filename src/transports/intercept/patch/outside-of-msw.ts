import { shared } from '../../../real/shared.ts'

/** A context in which MSW's interceptor ignores connections; present once MSW is loaded. */
interface ConnectionContext {
  run<Result>(connect: () => Result): Result
}

/** The registry of MSW's interceptors, which all its users share. */
export type Registry = Map<
  unknown,
  {
    on(...given: unknown[]): unknown
    listeners(type: 'request'): unknown[]
    listenerCount(type: 'request'): number
  }
>

const state = shared('outside-of-msw', () => ({ isOutside: false, networks: 0 }))

interface Loaded {
  __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
  __MSW_INTERCEPTORS_REGISTRY?: Registry
}

/** Counts a network of this package among the users of MSW; returns a function that ends this. */
export function countNetwork(): () => void {
  state.networks++
  return () => void state.networks--
}

/** Whether another user of MSW is active, whose handlers may answer a request. */
export function othersIntercept(): boolean {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: isLoaded, __MSW_INTERCEPTORS_REGISTRY: registry } =
    globalThis as Loaded
  if (!registry) return isLoaded !== undefined
  const listening = Array.from(registry.values(), (source) => source.listenerCount('request'))
  return listening.reduce((sum, count) => sum + count, 0) > state.networks
}

/** Opens one connection that MSW's interceptor does not see, and for which MSW does not load. */
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

/** Whether a connection that is opened now goes past MSW. */
export function isOutsideOfMsw(): boolean {
  return state.isOutside
}
