/**
 * The test files that run at night and before a release, and not for each change. CONTRIBUTING.md lists them. Each runs by
 * its name in the mode of the night: `npx vitest run --mode night test/e2e/mutate.test.ts`.
 */
export const NIGHT: readonly string[] = [
  'benchmarks',
  'examples-help-desk',
  'examples-screen-executor',
  'faked-file-system',
  'faked-tools',
  'faked-world',
  'import-large',
  'import-trace-large',
  'import-trace-sdks',
  'mutate',
  'other-globals',
  'playwright-linked',
  'proxies',
  'rehearse-drift',
  'rehearse-trace',
  'report-page-limits',
  'workers',
].map((name) => `test/e2e/${name}.test.ts`)
