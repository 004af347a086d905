import { shared } from '../../../real/shared.ts'

/** The state of Vitest's worker that is read beside its public API; the same in Vitest 3 to 5. */
interface WorkerState {
  filepath?: string
  config?: { root?: string; environment?: string; testTimeout?: number; hookTimeout?: number }
  /** The object that `vi.stubEnv` writes to. */
  metaEnv?: Record<PropertyKey, unknown>
  /** What this worker tells the process of Vitest. */
  rpc?: Record<string, (...told: unknown[]) => unknown>
  /** Registers a listener that is called and awaited before the worker ends. */
  onCleanup?: (listener: () => unknown) => void
}

/** A file, or what became of a task. */
export type Told = [id: unknown, result?: Result] & { result?: Result }

interface Result {
  errors?: unknown[]
}

function workerState(): WorkerState {
  return (globalThis as { __vitest_worker__?: WorkerState }).__vitest_worker__ ?? {}
}

/** Vitest's default time limits. */
const USUAL_TIMES = { testTimeout: 5_000, hookTimeout: 10_000 } as const

/** Gives tests that wait for a provider enough time, unless the user set one; as `vi.setConfig` does. */
export function giveTimeToRecord(time: number): void {
  const { config } = workerState()
  for (const name of ['testTimeout', 'hookTimeout'] as const)
    if (config?.[name] === USUAL_TIMES[name]) config[name] = time
}

/** The root of the project whose tests this worker runs. */
export function projectRoot(): string {
  return workerState().config?.root ?? process.cwd()
}

/** The absolute path of the test file that this worker runs, known before the file is imported. */
export function currentTestFile(): string | undefined {
  return workerState().filepath
}

/** The function that runs before this worker ends: that of the last file. */
const ending = /* @__PURE__ */ shared<{ finish?: () => Promise<void> }>('worker-end')

/** Runs `finish` before this worker ends, in place of the function of an earlier file. */
export function beforeWorkerEnds(finish: () => Promise<void>): void {
  if (!ending.finish) workerState().onCleanup?.(() => ending.finish?.())
  ending.finish = finish
}

/** The environments that are routed already, and what tells the process of Vitest. A worker can keep one from file to file. */
const routed = new WeakSet<object>()

/**
 * Goes between this worker and its Vitest: lets `vi.stubEnv` delete some variables in the current `process.env`, where it
 * reads and sets them, and not in the one that was there when the worker began; and hides secrets in what is reported,
 * before another process has it. One function, since every file runs it.
 */
export function guardWorker(
  isRouted: (name: PropertyKey) => boolean,
  hide: (told: unknown[]) => unknown[],
): void {
  const state = workerState()
  const { metaEnv, rpc } = state
  if (rpc && !routed.has(rpc)) {
    state.rpc = new Proxy(rpc, {
      get(_, name: string) {
        if (!/^on(?:Ta|Co|Un)/.test(name)) return rpc[name]
        return (...told: unknown[]) => {
          // Most of it is that tests passed, which loads nothing.
          const tasks = Array.isArray(told[0]) ? (told[0] as Told[]) : undefined
          let isQuiet = tasks !== undefined
          for (const one of tasks ?? []) isQuiet &&= !(one.result ?? one[1])?.errors
          return rpc[name]!(...(isQuiet ? told : hide(told)))
        }
      },
    })
    routed.add(state.rpc)
  }
  if (!metaEnv || routed.has(metaEnv)) return
  state.metaEnv = new Proxy(metaEnv, {
    deleteProperty: (env, name) => Reflect.deleteProperty(isRouted(name) ? process.env : env, name),
  })
  routed.add(state.metaEnv)
}
