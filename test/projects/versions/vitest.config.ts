import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { POOL = 'forks', SETUP } = process.env

export default defineConfig({
  plugins: SETUP === 'file' ? [] : [cassettes()],
  test: {
    pool: POOL as 'forks',
    setupFiles: SETUP === 'file' ? ['vitest-cassette/setup'] : [],
  },
})
