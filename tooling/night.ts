/**
 * The test files that run at night and before a release, and not for each change. CONTRIBUTING.md lists them. Each runs by
 * its name in the mode of the night: `npx vitest run --mode night test/e2e/mutate.test.ts`.
 */
export const NIGHT: readonly string[] = [
  'benchmarks',
  'browser-mode',
  'compile-cache',
  'examples-help-desk',
  'examples-notice',
  'examples-screen-executor',
  'fake-timers',
  'faked-file-system',
  'faked-tools',
  'faked-world',
  'import-large',
  'import-trace',
  'import-trace-large',
  'import-trace-sdks',
  'mutate',
  'old-vitest',
  'other-globals',
  'other-mocks',
  'playwright-linked',
  'provider-hosts',
  'proxies',
  'pytest',
  'quoted',
  'rehearse-drift',
  'rehearse-trace',
  'report-page-limits',
  'saving-kill',
  'workers',
].map((name) => `test/e2e/${name}.test.ts`)
