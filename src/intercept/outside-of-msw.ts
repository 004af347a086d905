/** MSW's own way to open a connection that its interceptor lets alone. */
interface ConnectionContext {
  run<Result>(connect: () => Result): Result
}

/** Opens one connection that MSW's interceptor does not see. */
export function outsideOfMsw<Result>(connect: () => Result): Result {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = globalThis as {
    __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
  }
  return context ? context.run(connect) : connect()
}
