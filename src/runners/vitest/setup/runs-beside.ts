import type { RunnerTask, RunnerTestCase } from 'vitest'

/** Whether other tests may run at the same time as a test. */
export function runsBesideOthers(test: RunnerTestCase): boolean {
  for (let task: RunnerTask | undefined = test; task; task = task.suite)
    if (task.concurrent) return true
  return false
}
