import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { POOL, OPTIONS } = process.env

export default defineConfig({
  plugins: [cassettes(JSON.parse(OPTIONS ?? '{}'))],
  test: { pool: POOL as 'forks', unstubEnvs: true },
})
