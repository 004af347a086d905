import type { ChildProcess } from 'node:child_process'
import type { WorkerOptions } from 'node:worker_threads'
import { bindingOf, builtin, replaceOnce } from '../../../real/builtin.ts'
import { shared } from '../../../real/shared.ts'
import type { Start } from '../mcp/started-command.ts'
import { whenLoaded } from '../patch/when-loaded.ts'

export type Workers = typeof import('node:worker_threads').Worker
export type WorkerArguments = [file: string | URL, options?: WorkerOptions]

/** How a process ended for which this one has waited, as the binding of Node tells it. */
export interface WaitedEnd {
  status: number | null
  signal: string | null
  /** A number of the system, below zero, where it did not start or was stopped. */
  error?: number
}

/** Gives the guard to the processes and threads that are started. */
export interface ChildGuard {
  /**
   * The arguments with which a process starts under its guard.
   *
   * @param isWaitedFor whether this process does nothing else until the other one has ended
   */
  prepare(start: Start, isWaitedFor: boolean): Start
  /** Hears how a process ended for which this one has waited. */
  noteEnd(start: Start, end: WaitedEnd): void
  /** The environment of the program that this process becomes. */
  environment(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Record<string, string>
  /** Starts a thread under its guard, as `new Worker(...args)` does. */
  startThread(Worker: Workers, args: WorkerArguments, newTarget: Function): object
  /** Stands in for a process, and can still start it with `run`. Returns false where nothing stands in. */
  standIn(child: ChildProcess, start: Start, run: (child: ChildProcess) => void): boolean
}

/** The guard of what this process or thread starts, shared by all copies of this package. */
const guarded = shared<{ children?: () => ChildGuard }>('children')

/**
 * Wraps every way to start a process or a thread. What they then get is decided in `guarded-start.ts`: Node loads the
 * guard before anything else, and every program gets the variables that lead it to the gateway. Returns a function that
 * ends this.
 *
 * @param guard loads when the first of them starts
 */
export function patchStarts(guard: () => ChildGuard): () => void {
  const { children: known } = guarded
  guarded.children = guard
  // In a worker of Vitest the guard of the process has patched what starts others.
  if (known) return () => void (guarded.children = known)
  const current = (): ChildGuard => guarded.children!()
  const undo = [
    whenLoaded(['node:child_process'], () => guardProcesses(current), 'keeps exports'),
    whenLoaded(['node:worker_threads'], () =>
      replaceOnce(
        builtin('node:worker_threads'),
        'Worker',
        (Worker) =>
          new Proxy(Worker, {
            construct: (target, args, newTarget) =>
              current().startThread(target, args as WorkerArguments, newTarget),
          }),
      ),
    ),
    guardExecve(current),
  ]
  return () => {
    undo.forEach((end) => end())
    guarded.children = undefined
  }
}

interface Spawner {
  spawn(start: Start): unknown
}

/** Guards the two functions that all ways to start a process end in. */
function guardProcesses(guard: () => ChildGuard): () => void {
  const { ChildProcess } = builtin('node:child_process')
  // `spawnSync` and its kin end in the binding.
  const spawners = [ChildProcess.prototype, bindingOf('spawn_sync')] as unknown as Spawner[]
  const undo = spawners.map((spawner, at) =>
    spawner
      ? replaceOnce(spawner, 'spawn', (spawn) => {
          return function (this: unknown, start) {
            const run = (child: unknown): unknown => {
              const result = Reflect.apply(spawn, child, [guard().prepare(start, at === 1)])
              if (at === 1) guard().noteEnd(start, result as WaitedEnd)
              return result
            }
            const standsIn = at === 0 && guard().standIn(this as ChildProcess, start, run)
            return standsIn ? 0 : run(this)
          }
        })
      : () => {},
  )
  return () => undo.forEach((end) => end())
}

/** `process.execve` replaces this program with another one, which has to load the guard too. */
function guardExecve(guard: () => ChildGuard): () => void {
  if (!process.execve) return () => {}
  return replaceOnce(
    process,
    'execve',
    (execve) =>
      (file, args = [], env = process.env) =>
        execve!(file, args, guard().environment(file, args, env)),
  )
}
