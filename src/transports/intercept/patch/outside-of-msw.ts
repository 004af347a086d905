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

/** What this package does beside MSW. */
export const besideMsw = shared('outside-of-msw', () => ({ isOutside: false, networks: 0 }))

/** What MSW leaves in the global object. */
export interface Loaded {
  __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
  __MSW_INTERCEPTORS_REGISTRY?: Registry
}

/** Counts a network of this package among the users of MSW; returns a function that ends this. */
export function countNetwork(): () => void {
  besideMsw.networks++
  return () => void besideMsw.networks--
}

/** Opens one connection that MSW's interceptor does not see, and for which MSW does not load. */
export function outsideOfMsw<Result>(connect: () => Result): Result {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = globalThis as Loaded
  if (context) return context.run(connect)
  besideMsw.isOutside = true
  try {
    return connect()
  } finally {
    besideMsw.isOutside = false
  }
}

/** Whether a connection that is opened now goes past MSW. */
export function isOutsideOfMsw(): boolean {
  return besideMsw.isOutside
}
