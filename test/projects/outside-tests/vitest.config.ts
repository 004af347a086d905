import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { SETUP, ISOLATE } = process.env
const isImported = SETUP === 'import'

// maxWorkers: with `isolate: false`, all files share one process.
export default defineConfig({
  plugins: isImported ? [] : [cassettes()],
  test: {
    setupFiles: isImported ? ['./setup.ts'] : [],
    isolate: ISOLATE !== 'false',
    maxWorkers: 1,
  },
})
