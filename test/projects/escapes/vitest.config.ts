import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'
import { teardown } from './global-teardown.ts'

const { POOL, ISOLATE, SETUP, HOST, ALLOWED, GLOBAL } = process.env
/** What asks outside of the workers. */
const asking: Record<string, string> = { 1: './global-setup.ts', teardown: './global-teardown.ts' }
const options = { hosts: [HOST!], ...(ALLOWED ? { allowHosts: [ALLOWED] } : {}) }

export default defineConfig({
  plugins: SETUP === 'import' ? [] : [cassettes(options)],
  test: {
    pool: POOL as 'forks',
    isolate: ISOLATE !== 'false',
    maxWorkers: ISOLATE === 'false' ? 1 : undefined,
    testTimeout: 5_000,
    globalSetup: asking[GLOBAL!] ?? [],
    ...(GLOBAL === 'reporter' ? { reporters: ['default', { onTestRunEnd: teardown }] } : {}),
    setupFiles: SETUP === 'import' ? ['./setup.ts'] : [],
  },
})
