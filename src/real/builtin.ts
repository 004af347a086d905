/**
 * A built-in module whose functions are replaced. Not by `import`: in a vm pool, the first import of a module decides
 * which functions every later named import gets.
 */
export const builtin: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name) as never

/** Whether Node has loaded a module of its own, named as `node:http` is. */
export function isLoaded(name: string): boolean {
  const { moduleLoadList } = process as { moduleLoadList?: string[] }
  return moduleLoadList?.includes(name.replace('node:', 'NativeModule ')) ?? true
}

/**
 * A binding of Node that its own modules call; `undefined` under `--permission`, which hides it, and in Bun, whose
 * functions in it throw.
 */
export function bindingOf(name: string): object | undefined {
  if (process.versions.bun) return undefined
  const { noDeprecation } = process as { noDeprecation?: boolean }
  // Not by assignment: under --no-deprecation it can only be read.
  Reflect.set(process, 'noDeprecation', true)
  try {
    return (process as unknown as { binding?(name: string): object }).binding?.(name)
  } catch {
    return undefined
  } finally {
    Reflect.set(process, 'noDeprecation', noDeprecation)
  }
}

/** The key under which a replacement keeps the original function; shared by all copies of this package. */
const REPLACED = Symbol.for('vitest-cassette.replaced')

/** Gives a function what Node says of another one by symbols, such as how `util.promisify` makes it one of promises. */
function likeOriginal<Fn extends object>(fn: Fn, original: object): Fn {
  for (const symbol of Object.getOwnPropertySymbols(original))
    Object.defineProperty(fn, symbol, Object.getOwnPropertyDescriptor(original, symbol)!)
  return fn
}

/**
 * Replaces a function of a built-in module or class. First removes the replacement of another copy of this package,
 * such as that of the last file in a vm pool. Returns a function that restores the original.
 */
export function replaceOnce<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  make: (original: Owner[Name]) => Owner[Name],
): () => void {
  const current = owner[name] as Owner[Name] & { [REPLACED]?: Owner[Name] }
  const original = current[REPLACED] ?? current
  const replacement = Object.assign(likeOriginal(make(original) as object, current), {
    [REPLACED]: original,
  })
  owner[name] = replacement as Owner[Name]
  return () => {
    if (owner[name] === replacement) owner[name] = original
  }
}

/** As {@link replaceOnce}, above what this package has put there. What has ended passes, wherever it still stands. */
export function replaceAbove<Fn extends (this: any, ...args: any[]) => unknown>(
  owner: Record<string, Fn>,
  name: string,
  make: (below: Fn) => Fn,
): () => void {
  const below = owner[name]!
  let replacement: Fn | undefined = make(below)
  const standing = likeOriginal(
    function (this: unknown, ...args: unknown[]): unknown {
      return Reflect.apply(replacement ?? below, this, args)
    } as Fn,
    below,
  )
  owner[name] = standing
  return () => {
    replacement = undefined
    if (owner[name] === standing) owner[name] = below
  }
}
