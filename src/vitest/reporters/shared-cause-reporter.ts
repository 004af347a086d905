import pc from 'picocolors'
import type { TestError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Cause } from '../../explain/cause.ts'

/**
 * Gives failures with one cause the same error: Vitest prints equal errors once, below the names of all their tests.
 * It has to come before the reporters that print.
 */
export class SharedCauseReporter implements Reporter {
  #printing?: typeof import('./at-run-end.ts')

  /** Loads the rendering during the run: at the end, no other reporter waits for this one. */
  async onTestCaseResult(test: TestCase): Promise<void> {
    if (test.meta().cassette?.cause) this.#printing ??= await import('./at-run-end.ts')
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#printing) return
    const { renderSharedCause, sharedCauses } = this.#printing
    const failed = modules.flatMap((module) => Array.from(module.children.allTests(), causeOfTest))
    for (const shared of sharedCauses(failed)) {
      const projects = Map.groupBy(shared.tests, ({ test }) => test.project)
      const found = {
        files: new Set(shared.tests.map(({ test }) => test.module.moduleId)).size,
        projects: projects.size,
      }
      // Vitest prints errors of two projects apart, so that each shows its own first test.
      for (const tests of projects.values()) {
        const errors = tests.flatMap(({ test, cause }) => errorsOf(test, cause.headline))
        const [first] = errors
        if (!first) continue
        const diff = renderSharedCause(shared, found, first.diff ?? '', pc.isColorSupported)
        for (const error of errors) Object.assign(error, { ...first, diff })
      }
    }
  }
}

function causeOfTest(test: TestCase): { test: TestCase; cause?: Cause } {
  return { test, cause: test.meta().cassette?.cause }
}

/** The errors with this headline, of all attempts. */
function errorsOf(test: TestCase, headline: string): TestError[] {
  const errors = (test.result().errors ?? []) as TestError[]
  return errors.filter(({ message }) => message === headline)
}
