import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { dirname, join } from '../../../real/path.ts'
import { THREAD } from '../../child-environment.ts'
import { GUARD_FILE } from '../guard/guard-policy.ts'
import type { ChildGuard } from '../guard/patch-starts.ts'
import { environmentOf, envPairsOf } from '../mcp/started-command.ts'

type Environment = NodeJS.ProcessEnv

interface SpawnOptions {
  cmd?: string[]
  env?: Environment
}

/** Starts a program: by its command, or by options that have it. */
type Spawn = (first: string[] | SpawnOptions, options?: SpawnOptions) => unknown

/** What a shell promises: its command starts when somebody waits for it. */
interface ShellPromise {
  env(env: Environment): ShellPromise
}

/** The shell of Bun. */
type Shell = ((...args: unknown[]) => ShellPromise) & {
  env(env?: Environment): Shell
  Shell?: new () => Shell
}

interface BunGlobal {
  spawn: Spawn
  spawnSync: Spawn
  $: Shell
}

/** A class of threads. Bun loads what `preload` names before the file. */
type Threads = new (
  file: string | URL,
  options?: { env?: Environment | symbol; preload?: string | string[] },
) => object

const bun = (globalThis as unknown as { Bun: BunGlobal }).Bun

/**
 * Gives the programs that start here their way to the gateway. `node:child_process` starts them by these as well.
 * Returns a function that ends this.
 */
export function guardBunChildren(guard: () => ChildGuard): () => void {
  const led = (env: Environment, command: string[], isWaitedFor: boolean): Environment => {
    const [file = '', ...args] = command
    const start = { file, args: [file, ...args], envPairs: envPairsOf(env) }
    return environmentOf(guard().prepare(start, isWaitedFor))
  }
  const guarded =
    (isWaitedFor: boolean) =>
    (spawn: Spawn): Spawn =>
    (first, options) => {
      const given = Array.isArray(first) ? { ...options, cmd: first } : first
      const { cmd = [], env = process.env } = given
      return spawn.call(bun, { ...given, env: led(env, cmd, isWaitedFor) })
    }
  const shell = (env: Environment): Environment => led(env, ['sh'], false)
  const guardedThreads = (Own: Threads): Threads =>
    new Proxy(Own, {
      construct(target, [file, options = {}]: ConstructorParameters<Threads>, newTarget) {
        const { env, preload = [] } = options
        const given = typeof env === 'object' ? env : process.env
        const guardedOptions = {
          ...options,
          env: led(given, [THREAD], false),
          preload: [join(dirname(GUARD_FILE), 'guard-bun.cjs'), ...[preload].flat()],
        }
        return Reflect.construct(target, [file, guardedOptions], newTarget) as object
      },
    })
  const undo = [
    replaceOnce(globalThis as unknown as { Worker: Threads }, 'Worker', guardedThreads),
    replaceOnce(
      builtin('node:worker_threads') as unknown as { Worker: Threads },
      'Worker',
      guardedThreads,
    ),
    replaceOnce(bun, 'spawn', guarded(false)),
    replaceOnce(bun, 'spawnSync', guarded(true)),
    replaceOnce(bun, '$', (own) => guardedShell(own, shell)),
  ]
  return () => undo.forEach((end) => end())
}

/** A shell whose commands get their way to the gateway in their environment. */
function guardedShell(own: Shell, led: (env: Environment) => Environment): Shell {
  let usual: Environment | undefined
  const run = (...args: unknown[]): ShellPromise => {
    const promise = own(...args)
    const setEnv = promise.env.bind(promise)
    promise.env = (env) => {
      setEnv(led(env))
      return promise
    }
    return promise.env(usual ?? process.env)
  }
  const env = (given?: Environment): Shell => {
    usual = given
    return shell
  }
  const { Shell: Own } = own
  // Called by `new`, so no arrow function.
  function Shell(): Shell {
    return guardedShell(new Own!(), led)
  }
  const replaced: Record<string | symbol, unknown> = { env, ...(Own ? { Shell } : {}) }
  const shell = new Proxy(own, {
    apply: (_target, _this, args) => run(...(args as unknown[])),
    get: (target, name) => replaced[name] ?? (Reflect.get(target, name) as unknown),
  })
  return shell
}
