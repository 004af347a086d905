import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { CassetteMeta } from '../../attempt/count-requests.ts'
import { appendLine, type TestCassetteLine } from '../../attempt/run-channel.ts'
import type { RunWatcher } from '../../runners/run-watchers.ts'

/** Watches the runs that `vitest-cassette record` starts. */
export const recordOfRun: RunWatcher = {
  watch: ({ run }) => (run?.by === 'record' ? new RecordRunReporter(run.folder) : undefined),
}

/** Tells `vitest-cassette record`, which started the run, what its tests did. */
class RecordRunReporter implements Reporter {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Reports a project that takes part in the run. */
  add(root: string, { dir, prices }: ResolvedConfig): void {
    appendLine(this.#folder, { kind: 'project', root, dir, prices })
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result()
    if (state === 'skipped') return
    const { cassette } = test.meta()
    appendLine(this.#folder, {
      kind: 'test',
      passed: state === 'passed',
      ...(cassette ? { cassette: lineOf(cassette) } : {}),
    })
  }

  /** Reports the requests of a file outside of its tests. */
  onTestModuleEnd(module: TestModule): void {
    const { cassette } = module.meta()
    if (!cassette) return
    const passed = cassette.passed !== false
    appendLine(this.#folder, { kind: 'test', passed, cassette: lineOf(cassette) })
  }
}

function lineOf({ cassette, recording, ...asked }: CassetteMeta): TestCassetteLine {
  const { recorded, misses, unused, kept, asks, invalid } = asked
  return {
    path: cassette,
    isRecorded: recording !== undefined,
    isInvalid: invalid.length > 0,
    recorded,
    misses,
    unused,
    kept,
    ...(asks ? { asks } : {}),
  }
}
