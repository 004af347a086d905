import type { Colors } from 'picocolors/types.js'
import type { TaskMeta } from 'vitest'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { providedTo } from './vitest/provide-config.ts'
import { pathOfModule } from './vitest/versions/run.ts'
import { shared } from '../real/shared.ts'

/** A reporter that gets the projects of its run. */
export interface ProjectReporter {
  add: (root: string, config: ResolvedConfig) => void
}

/** What a tool adds to the runs of Vitest. */
export interface RunWatcher {
  /** Its reporter for a run with these options; `undefined` where the tool does not ask for the run. */
  watch: (config: ResolvedConfig) => (Reporter & ProjectReporter) | undefined
  /** Whether its reporter changes failures, and so has to come before those that print them. */
  changesFailures?: boolean
}

/** The watchers of all tools. */
export const runWatchers: RunWatcher[] = shared<RunWatcher[]>('run-watchers', () => [])

/** Gives the runs of this process what the tools add to them. The first copy of this package to come decides. */
export function watchRuns(...all: RunWatcher[]): void {
  if (runWatchers.length === 0) runWatchers.push(...all)
}

/** A test that has ended, or a test file. */
export interface EndedTest {
  title: string
  meta: TaskMeta
  /** Those of earlier attempts too, if a test passed when it was tried again. */
  errors: readonly SerializedError[]
  hasFailed: boolean
}

/** The configuration of the project of a test file. */
export function configOfModule({ project }: TestModule): ResolvedConfig | undefined {
  return providedTo(project)?.config
}

export function titleOfFile(module: TestModule): string {
  return pathOfModule(module)
}

export function endedTestsOf(module: TestModule): EndedTest[] {
  const title = titleOfFile(module)
  const errors = module.errors()
  const tests = Array.from(module.children.allTests(), (test): EndedTest => {
    const { state, errors = [] } = test.result()
    const hasFailed = state === 'failed'
    return { title: `${title} > ${test.fullName}`, meta: test.meta(), errors, hasFailed }
  })
  return [{ title, meta: module.meta(), errors, hasFailed: errors.length > 0 }, ...tests]
}

/** Whether an error is one of this package. Errors cross processes, and lose their classes. */
export function isOurs({ name }: { name?: string }): boolean {
  return name === 'CassetteError'
}

/** The width of the labels in Vitest's own summary. */
const LABEL = 11

/**
 * Rows of the summary of a run, each with its line break: the first has a label, and the others stand below its text.
 * Empty where there are none.
 */
export function summaryRows(
  label: string,
  lines: ReadonlyArray<string | false>,
  paint: Colors,
): string {
  const heads = [paint.dim(label.padStart(LABEL))]
  return lines
    .filter((line) => line !== false)
    .map((line, index) => `${heads[index] ?? ' '.repeat(LABEL)}  ${line}\n`)
    .join('')
}
