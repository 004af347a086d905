import { shared } from '../../../real/shared.ts'

/** A context in which MSW's interceptor ignores connections; present once MSW is loaded. */
interface ConnectionContext {
  run<Result>(connect: () => Result): Result
}

/** The registry of MSW's interceptors, which all its users share. */
export type Registry = Map<
  unknown,
  {
    readyState: string
    listenerCount(type: 'request'): number
    apply(owner: object): void
    dispose(owner: object): void
  }
>

/** Whether a connection is opened now that this package does not see. */
export const outside = shared('outside-of-msw', () => ({ isNow: false }))

/** What MSW leaves in the global object. */
export interface Loaded {
  __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
  __MSW_INTERCEPTORS_REGISTRY?: Registry
}

/**
 * Opens one connection that this package does not see.
 *
 * @param others the context in which the interceptors of MSW's library do not see it either; `null` where they do
 */
export function outsideOfMsw<Result>(
  connect: () => Result,
  others: ConnectionContext | null | undefined = (globalThis as Loaded)
    .__MSW_INTERNAL_CONNECTION_CONTEXT,
): Result {
  const before = outside.isNow
  outside.isNow = true
  try {
    return others ? others.run(connect) : connect()
  } finally {
    outside.isNow = before
  }
}
