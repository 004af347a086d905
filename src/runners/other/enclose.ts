type Runs = (this: any, ...args: any[]) => unknown

/**
 * The same function of a test or a hook, run in a scope. Runners tell by the number of its parameters what calls back, and
 * Jest by its name what it is.
 */
export function enclose(fn: Runs, scope: (run: () => unknown) => unknown): Runs {
  const run = (context: unknown, args: unknown[]): unknown => scope(() => fn.apply(context, args))
  const enclosed: Runs =
    fn.length > 0
      ? function (done, ...more) {
          return run(this, [done, ...more])
        }
      : function (...args) {
          return run(this, args)
        }
  return Object.defineProperty(enclosed, 'name', { value: fn.name })
}

/** Waits for a function that calls back. */
export function promised(call: (done: (error?: unknown) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error as Error) : resolve()))
  })
}
