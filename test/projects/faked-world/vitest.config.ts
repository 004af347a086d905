import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [cassettes()],
  test: { testTimeout: 60_000, pool: (process.env.POOL ?? 'forks') as 'forks' },
})
