import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import type {} from '../test/needs.ts'

/** The tests that a run skipped. */
interface Skipped {
  /** The files of which it skipped every test. */
  whole: string[]
  /** The other files with a skipped test, and the names of their skipped tests. */
  partly: string[]
  names: string[]
}

/**
 * Says how many tests were skipped for each thing that this machine lacks, such as Python. With `SKIPPED_TESTS`, it also
 * writes them into that file.
 */
export class SkippedTests implements Reporter {
  #vitest!: Vitest

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const pattern = this.#vitest.getGlobalTestNamePattern()
    const skipped = modules.flatMap((module) =>
      // Neither those that the command line does not select, nor those behind a hook that failed.
      [...module.children.allTests('skipped')].filter(
        (test) => (!pattern || pattern.test(test.fullName)) && !isCutOff(test.parent),
      ),
    )
    const { SKIPPED_TESTS } = process.env
    if (SKIPPED_TESTS) writeFileSync(SKIPPED_TESTS, JSON.stringify(toRunElsewhere(skipped)))
    if (skipped.length > 0) this.#vitest.logger.log(['', ...linesOf(skipped), ''].join('\n'))
  }
}

/** Whether a hook of a suite, or of one around it, failed before its tests ran. */
function isCutOff(suite: TestSuite | TestModule): boolean {
  return suite.errors().length > 0 || (suite.type === 'suite' && isCutOff(suite.parent))
}

function toRunElsewhere(skipped: TestCase[]): Skipped {
  const byModule = Map.groupBy(skipped, ({ module }) => module)
  const isWhole = ([module, tests]: [TestModule, TestCase[]]): boolean =>
    [...module.children.allTests()].length === tests.length
  const pathsOf = (modules: Array<[TestModule, TestCase[]]>): string[] =>
    modules.map(([module]) => module.relativeModuleId)
  const partly = [...byModule].filter((entry) => !isWhole(entry))
  return {
    whole: pathsOf([...byModule].filter(isWhole)),
    partly: pathsOf(partly),
    names: partly.flatMap(([, tests]) => tests.map(({ fullName }) => fullName)),
  }
}

/** A line for each thing that tests need, and one for each test that was skipped for no such thing. */
function linesOf(skipped: TestCase[]): string[] {
  const counts = new Map<string, number>()
  const others: string[] = []
  for (const test of skipped) {
    const missing = Object.entries(missingFor(test))
    for (const [name, from] of missing) {
      const need = `${name} (${from})`
      counts.set(need, (counts.get(need) ?? 0) + 1)
    }
    if (missing.length === 0)
      others.push(`${test.module.relativeModuleId} > ${test.fullName}${noteOf(test)}`)
  }
  return [
    ...Array.from(counts, ([need, count]) =>
      count === 1 ? `1 test needs ${need}` : `${count} tests need ${need}`,
    ),
    ...others.map((test) => `a test is skipped: ${test}`),
  ].map((line) => ` Not proven here: ${line}`)
}

/** The reason that a test gave while it ran. */
function noteOf(test: TestCase): string {
  const result = test.result()
  return result.state === 'skipped' && result.note ? ` (${result.note})` : ''
}

/** What a test and the suites around it need and this machine lacks. */
function missingFor(task: TestCase | TestSuite | TestModule): Record<string, string> {
  return task.type === 'module' ? {} : { ...missingFor(task.parent), ...task.meta().missing }
}
/** Runs the tests that another run skipped and wrote into a file, with the options of Vitest behind its path. */
function runSkipped(path: string, options: string[]): number {
  const { whole, partly, names } = JSON.parse(readFileSync(path, 'utf8')) as Skipped
  const pattern = `^(?:${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`
  const runs = [
    ...(whole.length > 0 ? [whole] : []),
    ...(partly.length > 0 ? [[...partly, '-t', pattern]] : []),
  ]
  const codes = runs.map((words) => {
    const { status } = spawnSync('npx', ['vitest', 'run', ...options, ...words], {
      stdio: 'inherit',
    })
    return status ?? 1
  })
  return Math.max(0, ...codes)
}

if (process.argv[1] === import.meta.filename) {
  const [path, ...options] = process.argv.slice(2)
  process.exitCode = runSkipped(path!, options)
}
