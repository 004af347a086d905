import type { WorkerOptions } from 'node:worker_threads'
import { builtin } from './builtin.ts'
import type { GuardPolicy } from './guard-policy.ts'
import { replaceOnce } from './replace-once.ts'
import { whenLoaded } from './when-loaded.ts'

/** Tells a child process what to guard, as an environment variable, and a thread, as environment data. */
export const GUARD_VARIABLE = 'VITEST_CASSETTE_GUARD'

type Environment = Record<string, string | undefined>
type SyncOptions = { env?: Environment }

/**
 * Makes every Node process and worker thread that is started from here load the guard before anything
 * else. Programs that are not Node's read other variables, and cannot be guarded. Returns what ends it.
 *
 * @param currentPolicy what a child that starts now is to guard; `undefined` for nothing
 */
export function guardChildren(currentPolicy: () => GuardPolicy | undefined): () => void {
  const undo = [
    whenLoaded(['node:child_process'], () => guardProcesses(currentPolicy)),
    whenLoaded(['node:worker_threads'], () =>
      replaceOnce(builtin('node:worker_threads'), 'Worker', (Worker) =>
        guardWorkers(Worker, currentPolicy),
      ),
    ),
  ]
  return () => undo.forEach((end) => end())
}

function guardProcesses(currentPolicy: () => GuardPolicy | undefined): () => void {
  const childProcess = builtin('node:child_process')
  const { prototype } = childProcess.ChildProcess as unknown as { prototype: Spawner }
  const undo = [
    replaceOnce(prototype, 'spawn', (spawn) => {
      return function (this: unknown, options) {
        return Reflect.apply(spawn, this, [withGuard(options, currentPolicy())])
      }
    }),
    ...(['spawnSync', 'execFileSync', 'execSync'] as const).map((name) =>
      replaceOnce(childProcess, name, (run) => {
        const guarded = (...args: unknown[]): unknown =>
          Reflect.apply(run, childProcess, guardSync(args, currentPolicy()))
        return guarded as typeof run
      }),
    ),
  ]
  return () => undo.forEach((end) => end())
}

interface Spawner {
  spawn(options: { envPairs?: string[] }): number
}

function withGuard<Options extends { envPairs?: string[] }>(
  options: Options,
  policy: GuardPolicy | undefined,
): Options {
  const pairs = (options.envPairs ?? []).map((pair): [string, string] => {
    const at = pair.indexOf('=', 1)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const env = guardedEnvironment(Object.fromEntries(pairs), policy)
  return { ...options, envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`) }
}

/** Of the synchronous functions, options are the last argument, where there are any. */
function guardSync(args: unknown[], policy: GuardPolicy | undefined): unknown[] {
  const last = args.at(-1)
  const isOptions = typeof last === 'object' && last !== null && !Array.isArray(last)
  const options = (isOptions ? last : {}) as SyncOptions
  const env = guardedEnvironment(options.env ?? process.env, policy)
  return [...(isOptions ? args.slice(0, -1) : args), { ...options, env }]
}

/** Also takes the guard away that an earlier policy gave to this process. */
function guardedEnvironment(env: Environment, policy: GuardPolicy | undefined): Environment {
  if (!policy) return GUARD_VARIABLE in env ? { ...env, [GUARD_VARIABLE]: '' } : env
  const load = `--require ${JSON.stringify(policy.file)}`
  const { NODE_OPTIONS = '' } = env
  return {
    ...env,
    NODE_OPTIONS: NODE_OPTIONS.includes(load) ? NODE_OPTIONS : `${NODE_OPTIONS} ${load}`.trim(),
    [GUARD_VARIABLE]: JSON.stringify(policy),
  }
}

type Workers = typeof import('node:worker_threads').Worker
type WorkerArguments = [file: string | URL, options?: WorkerOptions]

function guardWorkers(Worker: Workers, currentPolicy: () => GuardPolicy | undefined): Workers {
  return new Proxy(Worker, {
    construct(target, [file, options = {}]: WorkerArguments, newTarget) {
      const policy = currentPolicy()
      const make = (more: WorkerOptions): object =>
        Reflect.construct(target, [file, { ...options, ...more }], newTarget) as object
      // Not by the environment, which a thread may share with this one.
      builtin('node:worker_threads').setEnvironmentData(
        GUARD_VARIABLE,
        policy && JSON.stringify(policy),
      )
      if (!policy) return make({})
      const load = ['--require', policy.file]
      try {
        return make({ execArgv: [...(options.execArgv ?? process.execArgv), ...load] })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error
        // Options of the whole process, which a thread inherits but may not be given.
        return make({ execArgv: load })
      }
    },
  })
}
