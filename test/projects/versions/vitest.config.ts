import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { POOL = 'forks', SETUP, ISOLATE } = process.env

export default defineConfig({
  plugins: SETUP === 'file' ? [] : [cassettes()],
  test: {
    pool: POOL as 'forks',
    ...(ISOLATE === 'false' ? { isolate: false, fileParallelism: false } : {}),
    setupFiles: SETUP === 'file' ? ['vitest-cassette/setup'] : [],
  },
})
