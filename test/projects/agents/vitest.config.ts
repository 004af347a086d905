import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // What these programs invent anew at every start, and nothing else.
  plugins: [cassettes({ volatile: process.env.UNDECLARED ? [] : ['claude-code', 'codex'] })],
  test: { testTimeout: 60_000 },
})
