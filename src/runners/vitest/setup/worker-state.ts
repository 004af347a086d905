import { shared } from '../../../real/shared.ts'

/** The state of Vitest's worker that is read beside its public API; the same in Vitest 3 to 5. */
interface WorkerState {
  filepath?: string
  config?: { root?: string; environment?: string; testTimeout?: number; hookTimeout?: number }
  /** The object that `vi.stubEnv` writes to. */
  metaEnv?: Record<PropertyKey, unknown>
  /** Registers a listener that is called and awaited before the worker ends. */
  onCleanup?: (listener: () => unknown) => void
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
const ending = /* @__PURE__ */ shared<{ finish?: () => Promise<void> }>('worker-end', () => ({}))

/** Runs `finish` before this worker ends, in place of the function of an earlier file. */
export function beforeWorkerEnds(finish: () => Promise<void>): void {
  if (!ending.finish) workerState().onCleanup?.(() => ending.finish?.())
  ending.finish = finish
}

/** The environments that are routed already. A worker can keep one from file to file. */
const routed = new WeakSet<object>()

/** Routes the access of `vi.stubEnv` to some variables to the current `process.env`. */
export function routeStubs(isRouted: (name: PropertyKey) => boolean): void {
  const state = workerState()
  if (!state.metaEnv || routed.has(state.metaEnv)) return
  state.metaEnv = new Proxy(state.metaEnv, {
    get: (env, name) => (isRouted(name) ? process.env[name as string] : env[name]),
    set: (env, name, value) => Reflect.set(isRouted(name) ? process.env : env, name, value),
    deleteProperty: (env, name) => Reflect.deleteProperty(isRouted(name) ? process.env : env, name),
  })
  routed.add(state.metaEnv)
}
