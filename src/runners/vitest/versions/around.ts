/** A hook that runs around what it is given, as `aroundEach` of Vitest 4.1 and later. */
export type AroundHook<Context> = (run: () => Promise<void>, context: Context) => unknown

/** Returns what enters the scope of the running code, wherever it is called. */
export type KeepScope = () => () => void

/** Code around which hooks run that only hear of its beginning and its end. */
export interface Enclosed {
  /** Whether the hooks have let the code run. */
  hasBegun: boolean
  /** Resolves when they have, or have ended without it. Then {@link end} tells why. */
  begins: Promise<void>
  /** Lets the hooks go on after the code. Rejects with the list of their errors. */
  end(): Promise<void>
}

/**
 * Calls hooks around code that begins when this returns, and ends later. Hooks that wait for something first, as in a
 * page, let it begin later: see {@link Enclosed.begins}.
 *
 * @param hooks from the outermost to the innermost
 * @param keepScope is called where the hooks run the code, and returns what enters that scope for the caller of this
 */
export function encloseCode<Context>(
  hooks: ReadonlyArray<AroundHook<Context>>,
  context: Context,
  keepScope: KeepScope,
): Enclosed {
  const begins = Promise.withResolvers<void>()
  const inner = Promise.withResolvers<void>()
  const errors: unknown[] = []
  let hasBegun = false
  let enter: (() => void) | undefined
  const run = async (index: number): Promise<void> => {
    const hook = hooks[index]
    if (hook) return void (await hook(() => run(index + 1).catch(keep), context))
    hasBegun = true
    begins.resolve()
    enter = keepScope()
    await inner.promise
  }
  const keep = (error: unknown): void => {
    errors.push(...(error instanceof AggregateError ? (error.errors as unknown[]) : [error]))
  }
  const ended = run(0).catch(keep).finally(begins.resolve)
  enter?.()
  return {
    get hasBegun() {
      return hasBegun
    },
    begins: begins.promise,
    async end() {
      inner.resolve()
      await ended
      // These releases report each error of a list, and know no AggregateError.
      if (errors.length > 0) throw errors
    },
  }
}
