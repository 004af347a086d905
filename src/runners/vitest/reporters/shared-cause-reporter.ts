import type { TestError } from 'vitest'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { hasColors } from '../../../config/has-colors.ts'
import type { FailureInRun } from '../../../explain/failure.ts'
import { plannedFiles, whyNotWhole, type PlannedFiles } from './partial-run.ts'
import type { FailedTest } from './shared-causes.ts'

/**
 * Gives failures with one cause the same error: Vitest prints equal errors once, below the names of all their tests.
 * It has to come before the reporters that print.
 */
export class SharedCauseReporter implements Reporter {
  #vitest?: Vitest
  #printing?: typeof import('./at-run-end.ts')
  #planned?: PlannedFiles

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  /** Loads the rendering during the run: at the end, no other reporter waits for this one. */
  async onTestCaseResult(test: TestCase): Promise<void> {
    if (test.result().state === 'failed') await this.#load()
  }

  async onTestModuleEnd(module: TestModule): Promise<void> {
    if (module.errors().length > 0) await this.#load()
  }

  async #load(): Promise<void> {
    this.#printing ??= await import('./at-run-end.ts')
    this.#planned ??= await plannedFiles(this.#vitest!)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#printing) return
    const { isTaken, renderSharedCause, settledTests, sharedCauses } = this.#printing
    this.#printing.nameConflicts(modules)
    const failed = modules.flatMap((module) =>
      Array.from(module.children.allTests()).flatMap(failedTest),
    )
    const [vitest, planned] = [this.#vitest!, this.#planned]
    const isWhole = planned !== undefined && whyNotWhole(vitest, modules, planned) === undefined
    for (const shared of sharedCauses(failed)) {
      const projects = Map.groupBy(shared.tests, ({ test }) => test.project)
      const found = {
        files: new Set(shared.tests.map(({ test }) => test.module.moduleId)).size,
        projects: projects.size,
      }
      const taken = failed.filter(({ failure }) => isTaken(shared.failure, failure))
      const settled = settledTests(vitest, shared.tests, taken, isWhole)
      // Vitest prints errors of two projects apart, so that each shows its own first test.
      for (const tests of projects.values()) {
        const all = tests.map(({ test, failure }) => ({ failure, errors: errorsOf(test, failure) }))
        const first = all.find(({ errors }) => errors.length > 0)
        if (!first) continue
        const { failure, errors } = first
        // Of several attempts, the last one is known.
        const error = errors.at(-1)!
        const shown = error.diff!.slice(0, failure.adviceAt).trimEnd()
        const diff = renderSharedCause(shared, found, settled, shown, hasColors())
        for (const one of all) {
          // Where reports of several runs are merged, this text is rendered again.
          one.failure.adviceAt = failure.adviceAt
          for (const other of one.errors) Object.assign(other, { ...error, diff })
        }
      }
    }
    this.#printing.tellInStacks(modules)
  }
}

/** A test that `vitest-cassette record` would record. */
function failedTest(test: TestCase): FailedTest[] {
  const { cassette } = test.meta()
  const isFailed = cassette && (cassette.failure?.cause || cassette.misses + cassette.unused > 0)
  return isFailed ? [{ test, failure: cassette.failure }] : []
}

/** The errors with the headline of a failure, of all attempts. */
function errorsOf(test: TestCase, { headline }: FailureInRun): TestError[] {
  const errors = (test.result().errors ?? []) as TestError[]
  return errors.filter(({ message, diff }) => message === headline && diff !== undefined)
}
