import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'
import { given } from './given.ts'

const { POOLS = 'forks,threads,vmForks,vmThreads' } = process.env

export default defineConfig({
  plugins: [cassettes(given)],
  test: {
    projects: POOLS.split(',').map((pool) => ({
      extends: true,
      test: { name: pool, pool: pool as 'forks' },
    })),
  },
})
