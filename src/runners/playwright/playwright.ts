import {
  expect,
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { CassetteOptions, RunOption } from '../../config/options.ts'
import { refuseOldPackage, versionOf } from '../../features/old-package.ts'
import { VISITOR_HEADER } from '../../transports/address.ts'
import { checkOptions } from '../../config/check-options.ts'
import { RunningCassette, type TestCassette } from '../vitest/api/test-cassette.ts'
import { routeBrowser, routePages } from '../../transports/route-page.ts'
import { WorkerCassettes, type RunningSpec } from './worker-cassettes.ts'

export { expect }
export { cassetteEnv, type AppServerOptions } from './app-server-env.ts'
export type { TestCassette } from '../vitest/api/test-cassette.ts'
export type { CassetteOptions } from '../../config/options.ts'

/** The cassette of a Playwright test. */
export interface SpecCassette extends TestCassette {
  /**
   * The headers that tell an app server which test a request belongs to. Pages and the fixture `request` send them.
   * Clients of your own send them by `fetch(url, { headers: cassette.headers })`.
   */
  readonly headers: Readonly<Record<string, string>>
}

/** The fixtures of a test. */
export interface CassetteFixtures {
  cassette: SpecCassette
}

/** The options of `use` in the config, and of `test.use()`. */
export interface CassetteTestOptions {
  /** The options of the plugin for Vitest that concern tests. `dir` is relative to the test file. */
  cassetteOptions: Omit<CassetteOptions, RunOption>
}

/** The options of `use` in the config. */
export interface CassetteWorkerOptions {
  /**
   * A fixed port for programs that cannot tell tests apart: their requests belong to the test that runs. Needs
   * `workers: 1`.
   */
  cassettePort: number | undefined
}

interface Internal {
  _spec: RunningSpec
}

interface InternalOfWorker {
  _cassettes: WorkerCassettes
}

// The first release in which the sockets of pages can be judged.
refuseOldPackage('@playwright/test', versionOf('@playwright/test'), [1, 48], {
  use: 'vitest-cassette/playwright',
})

/**
 * Playwright's `test`, whose tests have a cassette each: LLM calls of the page, of the app server and of the test itself
 * are recorded into it and replayed from it, and a changed prompt fails the test with the diff.
 *
 * @example
 * import { expect, test } from 'vitest-cassette/playwright'
 *
 * test('answers a question', async ({ page }) => {
 *   await page.goto('/')
 *   await page.getByRole('textbox').fill('How many moons has Mars?')
 *   await page.keyboard.press('Enter')
 *   await expect(page.getByRole('log')).toContainText('two')
 * })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & CassetteFixtures & CassetteTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & CassetteWorkerOptions
> = base.extend<
  CassetteFixtures & CassetteTestOptions & Internal,
  CassetteWorkerOptions & InternalOfWorker
>({
  cassetteOptions: [{}, { option: true }],
  cassettePort: [undefined, { option: true, scope: 'worker' }],
  _cassettes: [
    async ({ cassettePort }, use, worker) => {
      const cassettes = await WorkerCassettes.open(cassettePort, worker)
      await use(cassettes)
      await cassettes.close()
    },
    { scope: 'worker', box: true },
  ],
  browser: [
    async ({ browser, _cassettes }, use) => {
      routeBrowser(browser, _cassettes.running)
      await use(browser)
    },
    { scope: 'worker' },
  ],
  // Runs in every test before all other fixtures, so that it sees their requests.
  _spec: [
    async ({ cassetteOptions, baseURL, _cassettes }, use, info) => {
      const { allowHosts = [], ...options } = checkOptions(cassetteOptions)
      // Requests to the application itself are no LLM calls, whatever their paths.
      const application = baseURL && URL.canParse(baseURL) ? baseURL : undefined
      const own = application === undefined ? [] : [new URL(application).host]
      const all = { ...options, allowHosts: [...allowHosts, ...own] }
      const spec = _cassettes.begin(info, all, application)
      await use(spec)
      await spec.end()
    },
    { auto: true, box: true },
  ],
  cassette: async ({ _spec }, use) => {
    const { attempt, base } = _spec
    const headers: Record<string, string> = base === undefined ? {} : { [VISITOR_HEADER]: base }
    const running = new RunningCassette(() => attempt)
    await use(Object.defineProperty(running, 'headers', { value: headers }))
  },
  extraHTTPHeaders: async ({ extraHTTPHeaders, cassette }, use) => {
    await use({ ...extraHTTPHeaders, ...cassette.headers })
  },
  context: async ({ context, _cassettes }, use) => {
    await routePages(context, _cassettes.running)
    await use(context)
  },
})
