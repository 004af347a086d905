import { shared } from '../../intercept/patch/shared.ts'

/** The little that is read from Vitest's worker beside its public API; known in Vitest 4 and 5. */
interface WorkerState {
  filepath?: string
  config?: { root?: string; environment?: string; testTimeout?: number; hookTimeout?: number }
  /** What `vi.stubEnv` writes to. */
  metaEnv?: Record<PropertyKey, unknown>
  /** Calls back before the worker ends, and waits for what that returns. */
  onCleanup?: (listener: () => unknown) => void
}

function workerState(): WorkerState {
  return (globalThis as { __vitest_worker__?: WorkerState }).__vitest_worker__ ?? {}
}

/** What Vitest allows where nobody said anything, and what a provider may need. */
const USUAL_TIMES = { testTimeout: 5_000, hookTimeout: 10_000 } as const
const RECORDING_TIME = 300_000

/** Gives tests that wait for a provider enough time, unless the user set one; as `vi.setConfig` does. */
export function giveTimeToRecord(): void {
  const { config } = workerState()
  for (const name of ['testTimeout', 'hookTimeout'] as const)
    if (config?.[name] === USUAL_TIMES[name]) config[name] = RECORDING_TIME
}

/** The root of the project whose tests this worker runs. */
export function projectRoot(): string {
  return workerState().config?.root ?? process.cwd()
}

/** The absolute path of the test file that this worker runs, known before the file is imported. */
export function currentTestFile(): string | undefined {
  return workerState().filepath
}

/** What is to be done before this worker ends; the last file has the word. */
const ending = shared<{ finish?: () => Promise<void> }>('worker-end', () => ({}))

/** Does something before this worker ends, in the place of what an earlier file wanted to be done. */
export function beforeWorkerEnds(finish: () => Promise<void>): void {
  if (!ending.finish) workerState().onCleanup?.(() => ending.finish?.())
  ending.finish = finish
}

/** What stubs of the environment were sent through already; a worker can keep it from file to file. */
const routed = new WeakSet<object>()

/** Sends what `vi.stubEnv` does to some variables through `process.env` as it is now. */
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
