import type { Vitest } from 'vitest/node'
import { hideReported } from '../../secrets/notes.ts'

/** A file, suite or test as the process of Vitest has it. */
interface Task {
  name: string
  result?: { errors?: unknown[] }
  tasks?: Task[]
}

/** What of Vitest takes in results and errors before any reporter has them; the same in Vitest 3 to 5. */
interface Inside {
  state: {
    collectFiles(project: unknown, files?: Task[]): void
    updateTasks(packs: Array<[id: string, result?: { errors?: unknown[] }]>): void
    catchError(error: unknown, type: string): void
  }
  logger: { printError(error: unknown, options?: unknown): void }
}

const guarded = new WeakSet<object>()

/**
 * Hides known credentials in what comes from elsewhere than our set-up, before a reporter has it: errors of global
 * set-ups, of pools, pages and type checks, and titles.
 */
export function hideInReports(vitest: Vitest): void {
  const { state, logger } = vitest as unknown as Inside
  if (guarded.has(vitest)) return
  guarded.add(vitest)
  before(state, 'collectFiles', (_, files = []) => {
    for (const { result } of files) if (result?.errors) hideReported(result)
    if (mayNameSecret(files)) hideInTitles(files)
  })
  before(state, 'updateTasks', (packs) => {
    for (const [, result] of packs) if (result?.errors) hideReported(result)
  })
  before(state, 'catchError', (error) => void hideReported(error))
  before(logger, 'printError', (error) => void hideReported(error))
}

/** Looks at what a function is given before it runs. */
function before<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  look: (...args: Parameters<Extract<Owner[Name], (...args: never[]) => unknown>>) => void,
): void {
  const real = owner[name] as (...args: unknown[]) => unknown
  owner[name] = function (this: unknown, ...args: Parameters<typeof look>) {
    look(...args)
    return real.apply(this, args)
  } as Owner[Name]
}

/** A cheap check: most titles hold no value of a variable that could be a credential. */
const TELLING = /key|token|secret|pass|pwd|auth|credential|url|dsn/i

function mayNameSecret(files: readonly Task[]): boolean {
  const values = Object.entries(process.env).flatMap(([name, value = '']) =>
    value.length >= 8 && TELLING.test(name) ? [value] : [],
  )
  const names = [...everyTask(files)].map(({ name }) => name).join('\n')
  return values.some((value) => names.includes(value))
}

function hideInTitles(files: readonly Task[]): void {
  for (const task of everyTask(files)) {
    // A file is found by its name.
    if ('filepath' in task) continue
    const names = task as unknown as Record<string, string>
    for (const name of ['name', 'fullName', 'fullTestName'])
      if (typeof names[name] === 'string') names[name] = hideReported(names[name])
  }
}

function* everyTask(tasks: readonly Task[]): Generator<Task> {
  for (const task of tasks) {
    yield task
    yield* everyTask(task.tasks ?? [])
  }
}
