import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { POOL, GLOBAL, HOSTS } = process.env

export default defineConfig({
  plugins: [cassettes(HOSTS ? { hosts: HOSTS.split(',') } : {})],
  test: {
    pool: (POOL ?? 'forks') as 'forks',
    maxWorkers: 1,
    globalSetup: GLOBAL ? ['./start-fakes.ts'] : [],
  },
})
