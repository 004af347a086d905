import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'
import type { Mode } from '../../../config/mode.ts'
import { isOlder } from '../../../config/old-node.ts'
import { CassetteError, withFrames } from '../../../errors.ts'
import { printable } from '../../../text/printable.ts'

/** What a run of Vitest 3.2 has in the place of later methods. */
interface OlderRun {
  configOverride?: { testNamePattern?: RegExp }
}

/** The pattern of the names of tests that a run is narrowed to. */
export function testNamePattern(vitest: Vitest): RegExp | undefined {
  // Not in Vitest 3.2.
  const { getGlobalTestNamePattern } = vitest as Partial<Vitest>
  if (getGlobalTestNamePattern) return getGlobalTestNamePattern.call(vitest)
  const { configOverride } = vitest as unknown as OlderRun
  return configOverride?.testNamePattern ?? vitest.config.testNamePattern
}

/** The path of a test file, relative to the root of its project. */
export function pathOfModule(module: TestModule): string {
  // Vitest 3.2 has it as the name of its task alone.
  return module.relativeModuleId ?? (module as unknown as { task: { name: string } }).task.name
}

/** The reporters of a run before it starts; `undefined` before Vitest 5, where a config does not have them yet. */
export function reportersOfRun(test: object | undefined): Reporter[] | undefined {
  if (!test || !('resolvedProjects' in test && 'reporters' in test)) return undefined
  return Array.isArray(test.reporters) ? (test.reporters as Reporter[]) : undefined
}

/** What started Vitest gives it these options, whatever its config says. */
interface GivenOptions {
  include?: readonly string[]
}

/** The options that are no part of a config. Vitest 5 has them in its config, and older releases beside it. */
export function givenOptions(vitest: Pick<Vitest, 'config'>): GivenOptions {
  const { _cliOptions: before, config } = vitest as {
    _cliOptions?: GivenOptions
    config?: { cliOptions?: GivenOptions }
  }
  return before ?? config?.cliOptions ?? {}
}

/** Whether a run has benchmarks that are no tests, as before Vitest 5. */
export function runsOlderBenchmarks(vitest: Vitest): boolean {
  return (vitest as { mode?: string }).mode === 'benchmark'
}

/** The set-up file for projects whose tests run in pages. */
const PAGE_SETUP_FILE = fileURLToPath(new URL('./setup-page.mjs', import.meta.url))

/** The same for Vitest 4.0, where a page imports the runner from elsewhere. */
const OLDER_PAGE_SETUP_FILE = fileURLToPath(new URL('./setup-older-page.mjs', import.meta.url))

/**
 * The set-up file of a project whose tests run in pages.
 *
 * @throws CassetteError `unsupported-vitest` in Vitest 3.2, whose browser mode is experimental, unless the mode is `off`
 */
export function setUpFileOfPages({ name }: TestProject, { version }: Vitest, mode: Mode): string {
  if (mode === 'off' || !isOlder(version, [4, 1])) return PAGE_SETUP_FILE
  if (!isOlder(version, [4, 0])) return OLDER_PAGE_SETUP_FILE
  const project = name === '' ? 'This project' : `The project ${printable(name)}`
  throw withFrames(
    new CassetteError(
      'unsupported-vitest',
      `${project} runs its tests in a browser, where vitest-cassette needs Vitest 4.0 or later, and this is Vitest ${version}: ` +
        'the browser mode of that release is experimental.\n' +
        "To update it: npm install -D vitest@latest. Or let the project be live: plugins: [cassettes({ mode: 'off' })] in its own config.",
    ),
    [],
  )
}
