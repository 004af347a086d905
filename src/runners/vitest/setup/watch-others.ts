import type { RunnerTestCase, TestRunner, vi } from 'vitest'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import { judgeInScope } from '../../../transports/answer.ts'
import { currentScope } from '../../../transports/scope.ts'
import { watchFetch, watchOthers } from '../../../transports/other-answers.ts'
import { replaceOnce } from '../../../real/builtin.ts'
import { isInVmPool } from '../../../real/shared.ts'

/** Counts, while recording, the LLM calls that mocks and stubs of a test file answer in our place. */
export function watchMocks(
  config: ResolvedConfig,
  hooks: { vi: typeof vi; TestRunner: typeof TestRunner },
): void {
  // There, the fetch of the environment would count as a mock.
  if (isInVmPool()) return
  watchOthers((method, url) => {
    const scope = currentScope()
    return scope !== 'upstream' && judgeInScope(method, url, scope, config) !== 'no'
  }, config)
  replaceOnce(hooks.vi as { spyOn: (...args: never[]) => unknown }, 'spyOn', (spyOn) => {
    return (...args) => {
      const spy = spyOn(...args)
      watchFetch()
      return spy
    }
  })
  // After the hooks of the test, which may have assigned a fetch of their own.
  const runner = hooks.TestRunner.prototype as { runTask?: (test: RunnerTestCase) => Promise<void> }
  runner.runTask ??= async (test) => {
    watchFetch()
    await hooks.TestRunner.getTestFn(test)()
  }
}
