import type { Reporter, TestCase, TestModule, Vite } from 'vitest/node'
import type { CassetteMeta } from '../../attempt/count-requests.ts'
import {
  appendLine,
  hasStandIns,
  type TestCassetteLine,
  type TestLine,
} from '../../attempt/run-channel.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { endedTestsOf, type RunWatcher, titleOfFile } from '../../runners/run-watchers.ts'
import type { StartedRun } from '../../config/environment.ts'

/** Watches the runs that a command starts to hear of their tests. */
export const commandOfRun: RunWatcher = {
  watch: ({ run }) =>
    run?.by === 'record' || run?.by === 'import' ? new CommandRunReporter(run) : undefined,
}

/** Tells the command that started the run what its tests did. */
class CommandRunReporter implements Reporter {
  readonly #run: StartedRun

  constructor(run: StartedRun) {
    this.#run = run
  }

  /** Reports a project that takes part in the run. */
  add(root: string, { dir, prices }: ResolvedConfig): void {
    appendLine(this.#run.folder, { kind: 'project', root, dir, prices })
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (state === 'skipped') return
    const [error] = this.#run.by === 'import' ? errors : []
    const { cassette } = test.meta()
    const title = `${titleOfFile(test.module)} > ${test.fullName}`
    appendLine(this.#run.folder, {
      kind: 'test',
      passed: state === 'passed',
      title,
      cassette: cassette && cassetteLine(cassette, title),
      test: cassette && hasStandIns(this.#run) ? testLine(test) : undefined,
      error: error && `${error.name}: ${error.message}`.split('\n')[0],
    })
  }

  /** Reports the requests of a file outside of its tests, and what failed in it. */
  onTestModuleEnd(module: TestModule): void {
    this.#tellFailed(module)
    const { cassette, movedCassettes } = module.meta()
    if (movedCassettes) appendLine(this.#run.folder, { kind: 'moved', cassettes: movedCassettes })
    if (!cassette) return
    const passed = cassette.passed !== false
    appendLine(this.#run.folder, { kind: 'test', passed, cassette: cassetteLine(cassette) })
  }

  #tellFailed(module: TestModule): void {
    for (const { title, meta, errors, hasFailed } of endedTestsOf(module)) {
      const { misses = 0, unused = 0 } = meta.cassette ?? {}
      if (!hasFailed || misses + unused > 0) continue
      const why = errors[0]?.message.split('\n')[0] ?? ''
      appendLine(this.#run.folder, { kind: 'failed', file: module.moduleId, title, why })
    }
  }
}

function cassetteLine(
  { cassette, recording, ...asked }: CassetteMeta,
  title?: string,
): TestCassetteLine {
  const { recorded, misses, unused, kept, respelled, asks, invalid, missed, refused } = asked
  return {
    path: cassette,
    title,
    refused,
    urls: missed && [...new Set(missed.map(({ url }) => url))],
    isRecorded: recording !== undefined,
    isInvalid: invalid.length > 0,
    recorded,
    misses,
    unused,
    kept,
    respelled,
    asks: asks || undefined,
  }
}

function testLine(test: TestCase): TestLine {
  const { errors = [] } = test.result()
  return {
    file: test.module.moduleId,
    files: filesOf(test.module),
    line: test.location?.line,
    title: test.fullName,
    failedItself: errors.some(({ name }) => name !== 'CassetteError'),
  }
}

/** The files of a project that a test file loads, itself among them. */
function filesOf({ moduleId, project }: TestModule): string[] {
  const files = new Set<string>()
  const visit = (modules: Iterable<Vite.ModuleNode>): void => {
    for (const { file, importedModules } of modules) {
      if (file === null || files.has(file) || file.includes('/node_modules/')) continue
      files.add(file)
      visit(importedModules)
    }
  }
  visit(project.vite.moduleGraph.getModulesByFile(moduleId) ?? [])
  return [...files.add(moduleId)]
}
