import type { TaskMeta } from 'vitest'
import type { SerializedError, TestModule } from 'vitest/node'

/** A test that has ended, or a test file. */
export interface EndedTest {
  title: string
  meta: TaskMeta
  /** Those of earlier attempts too, if a test passed when it was tried again. */
  errors: readonly SerializedError[]
  hasFailed: boolean
}

/** A test file and all its tests. */
export function endedTestsOf(module: TestModule): EndedTest[] {
  const title = module.relativeModuleId
  const errors = module.errors()
  const tests = Array.from(module.children.allTests(), (test): EndedTest => {
    const { state, errors = [] } = test.result()
    const hasFailed = state === 'failed'
    return { title: `${title} > ${test.fullName}`, meta: test.meta(), errors, hasFailed }
  })
  return [{ title, meta: module.meta(), errors, hasFailed: errors.length > 0 }, ...tests]
}
