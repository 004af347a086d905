import type { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import type { WorkerOptions } from 'node:worker_threads'
import { builtin } from '../patch/builtin.ts'
import { explainLostGuard, losesGuard } from './guard-commands.ts'
import type { GuardPolicy } from './guard-policy.ts'
import { pathWithShim } from './guard-folder.ts'
import { environmentOf, type Start } from '../mcp/started-command.ts'
import { redirected } from '../redirect/environment.ts'
import { replaceOnce } from '../patch/replace-once.ts'
import { whenLoaded } from '../patch/when-loaded.ts'

/** Tells a child process what to guard, as an environment variable, and a thread, as environment data. */
export const GUARD_VARIABLE = 'VITEST_CASSETTE_GUARD'

/** Who knows what children are to guard. */
export interface ChildGuard {
  /**
   * What a child that starts now is to guard; `undefined` for nothing.
   *
   * @param program what is started: its file, or `a worker thread`
   * @param isWaitedFor nothing else happens here until it has ended
   */
  policy(program: string, isWaitedFor: boolean): GuardPolicy | undefined
  /** The error of a command that no guard can follow, or nothing where it may run all the same. */
  refuse(text: string): Error | undefined
  /** Stands in for a process, which it can start all the same; false where nothing does. */
  standIn?(child: ChildProcess, options: Start, start: (child: ChildProcess) => void): boolean
}

/**
 * Makes every Node process and worker thread that is started from here load the guard before anything
 * else. Programs that are not Node's read other variables, and cannot be guarded. Returns what ends it.
 */
export function guardChildren(guard: ChildGuard): () => void {
  const undo = [
    whenLoaded(['node:child_process'], () => guardProcesses(guard)),
    whenLoaded(['node:worker_threads'], () =>
      replaceOnce(builtin('node:worker_threads'), 'Worker', (Worker) =>
        guardWorkers(Worker, guard),
      ),
    ),
    guardExecve(guard),
  ]
  return () => undo.forEach((end) => end())
}

interface Spawner {
  spawn(options: Start): unknown
}

/** Guards the two places that all ways to start a process come to, however they are called. */
function guardProcesses(guard: ChildGuard): () => void {
  const { ChildProcess } = builtin('node:child_process')
  const spawners = [ChildProcess.prototype as unknown as Spawner, syncSpawner()]
  const undo = spawners.map((spawner, at) =>
    spawner
      ? replaceOnce(spawner, 'spawn', (spawn) => {
          return function (this: unknown, options) {
            const start = (child: unknown): unknown =>
              Reflect.apply(spawn, child, [guarded(options, guard, at === 1)])
            const standsIn = at === 0 && guard.standIn?.(this as ChildProcess, options, start)
            return standsIn ? 0 : start(this)
          }
        })
      : () => {},
  )
  return () => undo.forEach((end) => end())
}

/** What `spawnSync` and its kin end in; `undefined` under `--permission`, which hides it. */
function syncSpawner(): Spawner | undefined {
  const bindings = process as unknown as {
    binding?(name: string): Spawner
    noDeprecation?: boolean
  }
  const { noDeprecation } = bindings
  bindings.noDeprecation = true
  try {
    return bindings.binding?.('spawn_sync')
  } catch {
    return undefined
  } finally {
    bindings.noDeprecation = noDeprecation
  }
}

/** A process can also become another, which loads the guard afresh. */
function guardExecve(guard: ChildGuard): () => void {
  if (!process.execve) return () => {}
  return replaceOnce(process, 'execve', (execve) => (file, args = [], env = process.env) => {
    const envPairs = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    const start = guarded({ file, args: [...args], envPairs }, guard)
    return execve!(file, args, environmentOf(start))
  })
}

function guarded<Options extends Start>(
  options: Options,
  guard: ChildGuard,
  isWaitedFor: boolean = false,
): Options {
  // Node itself says what is wrong with it.
  if (typeof options !== 'object' || options === null) return options
  const { file = '', args = [] } = options
  const policy = guard.policy(file, isWaitedFor)
  if (policy) {
    // The first argument is the name of the program once more.
    const command = [file, ...args.slice(1)].join(' ')
    const error = losesGuard(command, policy.folder) && guard.refuse(explainLostGuard(command))
    if (error) throw error
  }
  const env = guardedEnvironment(environmentOf(options), policy, file)
  return { ...options, envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`) }
}

/** Also takes the guard away that an earlier policy gave to this process. */
function guardedEnvironment(
  env: Record<string, string>,
  policy: GuardPolicy | undefined,
  file: string,
): Record<string, string> {
  if (!policy) return GUARD_VARIABLE in env ? { ...env, [GUARD_VARIABLE]: '' } : env
  const load = `--require ${JSON.stringify(policy.file)}`
  const { NODE_OPTIONS = '' } = env
  const path = pathWithShim(policy, env.PATH)
  return {
    ...env,
    ...(policy.gateway ? redirected(env, policy.gateway, isNode(file) ? '' : policy.folder) : {}),
    NODE_OPTIONS: NODE_OPTIONS.includes(load) ? NODE_OPTIONS : `${NODE_OPTIONS} ${load}`.trim(),
    [GUARD_VARIABLE]: JSON.stringify(policy),
    ...(path === undefined ? {} : { PATH: path }),
  }
}

/** Node needs no certificates: the guard in it sees what is asked before it is encrypted. */
function isNode(file: string): boolean {
  return file === process.execPath || /^node(?:\.exe)?$/i.test(basename(file))
}

type Workers = typeof import('node:worker_threads').Worker
type WorkerArguments = [file: string | URL, options?: WorkerOptions]

function guardWorkers(Worker: Workers, { policy: currentPolicy }: ChildGuard): Workers {
  return new Proxy(Worker, {
    construct(target, [file, options = {}]: WorkerArguments, newTarget) {
      const policy = currentPolicy('a worker thread', false)
      // Over the options, not a copy: they may be frozen, inherited, or behind getters.
      const make = (execArgv: string[]): object => {
        const given = Object.create(options, { execArgv: { value: execArgv } }) as WorkerOptions
        return Reflect.construct(target, [file, given], newTarget) as object
      }
      // Not by the environment, which a thread may share with this one.
      builtin('node:worker_threads').setEnvironmentData(
        GUARD_VARIABLE,
        policy && JSON.stringify(policy),
      )
      if (!policy) return Reflect.construct(target, [file, options], newTarget) as object
      const load = ['--require', policy.file]
      try {
        return make([...(options.execArgv ?? process.execArgv), ...load])
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error
        // Options of the whole process, which a thread inherits but may not be given.
        return make(load)
      }
    },
  })
}
