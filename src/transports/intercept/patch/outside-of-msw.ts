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

/** Whether a connection is opened now that nobody intercepts. */
export const besideMsw = shared('outside-of-msw', () => ({ isOutside: false }))

/** What MSW leaves in the global object. */
export interface Loaded {
  __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
  __MSW_INTERCEPTORS_REGISTRY?: Registry
}

/** Opens one connection that neither this package nor an interceptor of MSW's library sees. */
export function outsideOfMsw<Result>(connect: () => Result): Result {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = globalThis as Loaded
  return pastHook(context ? () => context.run(connect) : connect)
}

/** Opens one connection that this package does not see. */
export function pastHook<Result>(connect: () => Result): Result {
  const before = besideMsw.isOutside
  besideMsw.isOutside = true
  try {
    return connect()
  } finally {
    besideMsw.isOutside = before
  }
}

/** Whether a connection that is opened now goes past interception. */
export function isOutsideOfMsw(): boolean {
  return besideMsw.isOutside
}
