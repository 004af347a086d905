import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { POOL, ISOLATE, SETUP, HOST, ALLOWED, GLOBAL } = process.env
const options = { hosts: [HOST!], ...(ALLOWED ? { allowHosts: [ALLOWED] } : {}) }

export default defineConfig({
  plugins: SETUP === 'import' ? [] : [cassettes(options)],
  test: {
    pool: POOL as 'forks',
    isolate: ISOLATE !== 'false',
    maxWorkers: ISOLATE === 'false' ? 1 : undefined,
    testTimeout: 5_000,
    globalSetup: GLOBAL ? ['./global-setup.ts'] : [],
    setupFiles: SETUP === 'import' ? ['./setup.ts'] : [],
  },
})
