import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

// maxWorkers: with `isolate: false`, all files share one process.
export default defineConfig(
  process.env.SETUP === 'import'
    ? { test: { setupFiles: ['./setup.ts'], isolate: false, maxWorkers: 1 } }
    : { plugins: [cassettes()], test: { maxWorkers: 1 } },
)
