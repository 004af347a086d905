import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { ISOLATE, POOL } = process.env

export default defineConfig({
  plugins: [cassettes()],
  test: {
    isolate: ISOLATE === 'true',
    maxWorkers: 1,
    ...(POOL ? { pool: POOL as 'threads' } : {}),
  },
})
