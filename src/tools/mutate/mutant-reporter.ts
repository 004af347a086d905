import type { Reporter, TestCase, TestModule, Vite } from 'vitest/node'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { appendLine } from '../../attempt/run-channel.ts'
import type { MutantLine } from './judge-tests.ts'
import type { RunWatcher } from '../../runners/run-watchers.ts'

type ModuleNode = Vite.ModuleNode

/** Watches the runs that `vitest-cassette mutate` starts. */
export const mutantsOfRun: RunWatcher = {
  watch: ({ mutants }) => (mutants === undefined ? undefined : new MutantReporter(mutants)),
}

/** Tells `vitest-cassette mutate`, which started the run, how its tests ended. */
class MutantReporter implements Reporter {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Reports a project that takes part in the run. */
  add(root: string, { dir }: ResolvedConfig): void {
    appendLine<MutantLine>(this.#folder, { kind: 'project', root, dir })
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    const { cassette: asked } = test.meta()
    if (state === 'skipped' || !asked) return
    appendLine<MutantLine>(this.#folder, {
      kind: 'test',
      file: test.module.moduleId,
      files: filesOf(test.module),
      ...(test.location ? { line: test.location.line } : {}),
      title: test.fullName,
      cassette: asked.cassette,
      passed: state === 'passed',
      failedItself: errors.some(({ name }) => name !== 'CassetteError'),
      misses: asked.misses,
    })
  }
}

/** The files of a project that a test file loads, itself among them. */
function filesOf({ moduleId, project }: TestModule): string[] {
  const files = new Set<string>()
  const visit = (modules: Iterable<ModuleNode>): void => {
    for (const { file, importedModules } of modules) {
      if (file === null || files.has(file) || file.includes('/node_modules/')) continue
      files.add(file)
      visit(importedModules)
    }
  }
  visit(project.vite.moduleGraph.getModulesByFile(moduleId) ?? [])
  return [...files.add(moduleId)]
}
