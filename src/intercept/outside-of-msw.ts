import { shared } from './shared.ts'

/** MSW's own way to open a connection that its interceptor lets alone; there once it is loaded. */
interface ConnectionContext {
  run<Result>(connect: () => Result): Result
}

const state = shared('outside-of-msw', () => ({ isOutside: false }))

type Loaded = { __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext }

/** Whether MSW intercepts, for this package or for the user. */
export function isMswLoaded(): boolean {
  return (globalThis as Loaded).__MSW_INTERNAL_CONNECTION_CONTEXT !== undefined
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
