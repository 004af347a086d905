import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import type { LabTest, Told } from '../lab.ts'

/** Keeps what became of each test, in the project by whose name the scenario is known. */
export class LabReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...testsOf(module)])
    const ofFiles = modules.flatMap((module) =>
      module.errors().map((error) => ({ ...placeOf(module), ...tellOf(error) })),
    )
    writeFileSync('outcome.json', JSON.stringify({ tests, ofFiles, errors: errors.map(tellOf) }))
  }
}

function placeOf(module: TestModule): { scenario: string; file: string } {
  return { scenario: module.project.name, file: module.relativeModuleId }
}

function* testsOf(module: TestModule): Generator<LabTest> {
  for (const test of module.children.allTests()) {
    const { state, errors = [] } = test.result()
    const { cassette = {} } = test.meta() as { cassette?: object }
    yield {
      ...placeOf(module),
      title: test.fullName,
      state,
      errors: errors.map(tellOf),
      cassette,
    }
  }
}

function tellOf(error: unknown): Told {
  const { name = '', message = '', stack = '', code } = error as Partial<Told> & { stack?: string }
  const [text = ''] = stack.split(/\n {4}at\b/, 1)
  return { name, message, text, ...(code ? { code } : {}) }
}
