import { syncBuiltinESMExports } from 'node:module'
import { keepFunctions, withRealModules } from '../../../real/real-world.ts'
import { builtin, isLoaded } from '../../../real/builtin.ts'
import { shared } from '../../../real/shared.ts'

/** Replaces functions of modules, and returns a function that restores them. */
type Patch = () => () => void

/** The patches that wait for a module, in the order in which they are applied: a later one replaces an earlier one. */
const watch = shared('when-loaded', () => ({
  isOn: false,
  waiting: new Map<string, Set<() => void>>(),
}))

/**
 * Patches built-in modules when the program loads one of them, before it gets their exports. Some of them take longer
 * to load than a small test takes to run. Returns a function that undoes the patch.
 *
 * @param keeps set for a patch that leaves the exports of the modules as they are
 */
export function whenLoaded(
  names: readonly string[],
  patch: Patch,
  keeps?: 'keeps exports',
): () => void {
  let undo: (() => void) | undefined
  const cancel = (): void => {
    for (const name of names) watch.waiting.get(name)?.delete(apply)
  }
  const apply = (): void => {
    cancel()
    undo = patch()
    if (!keeps) syncNamedImports()
  }
  for (const name of names) {
    if (!watch.waiting.has(name)) watch.waiting.set(name, new Set())
    watch.waiting.get(name)!.add(apply)
  }
  // What the program has not loaded yet need not load for a patch.
  const isSeen = names.every(isLoaded) || startWatch()
  for (const name of names) if (!isSeen || isLoaded(name)) applyWaiting(name)
  return () => {
    cancel()
    undo?.()
    if (undo && !keeps) syncNamedImports()
  }
}

/** Keeps the functions of a module as they are when it loads. */
export function keepWhenLoaded(name: 'node:crypto' | 'node:http'): () => void {
  const keep = (): (() => void) => {
    keepFunctions(name.slice(5), builtin(name))
    return () => {}
  }
  return whenLoaded([name], keep, 'keeps exports')
}

/** Set while several patches are applied or undone. */
let together: { isStale: boolean } | undefined

/** Applies or undoes several patches, and lets named imports see them all at once: that takes as long as for one. */
export function patchTogether<Result>(run: () => Result): Result {
  const these = (together = { isStale: false })
  try {
    return run()
  } finally {
    together = undefined
    if (these.isStale) syncNamedImports()
  }
}

/** Lets named imports see a patch. What a test has faked at this time would stay there after the test. */
function syncNamedImports(): void {
  if (together) together.isStale = true
  else withRealModules(syncBuiltinESMExports)
}

function applyWaiting(name: string): void {
  for (const apply of watch.waiting.get(name) ?? []) apply()
}

/** False where Node has no hook for loading: before 22.15. */
function startWatch(): boolean {
  const { registerHooks } = builtin('node:module')
  if (!registerHooks) return false
  if (watch.isOn) return true
  registerHooks({
    load(url, context, next) {
      applyWaiting(url.startsWith('node:') ? url : `node:${url}`)
      return next(url, context)
    },
  })
  return (watch.isOn = true)
}
