import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { SETUP, OPTIONS } = process.env

export default defineConfig(
  SETUP === 'import'
    ? { test: { setupFiles: ['./setup.ts'] } }
    : { plugins: [cassettes(JSON.parse(OPTIONS ?? '{}'))] },
)
