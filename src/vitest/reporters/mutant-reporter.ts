import type { Reporter, TestCase } from 'vitest/node'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { appendMutantLine } from '../../mutate/mutant-lines.ts'

/** Tells `vitest-cassette mutate`, which started the run, how its tests ended. */
export class MutantReporter implements Reporter {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** One more project takes part. */
  add(root: string, { dir }: ResolvedConfig): void {
    appendMutantLine(this.#folder, { kind: 'project', root, dir })
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    const { cassette: asked } = test.meta()
    if (state === 'skipped' || !asked) return
    appendMutantLine(this.#folder, {
      kind: 'test',
      file: test.module.moduleId,
      ...(test.location ? { line: test.location.line } : {}),
      title: test.fullName,
      cassette: asked.cassette,
      passed: state === 'passed',
      failedItself: errors.some(({ name }) => name !== 'CassetteError'),
      misses: asked.misses,
    })
  }
}
