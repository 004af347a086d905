import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // What these programs invent anew at every start, and nothing else.
  plugins: [cassettes({ volatile: ['uuid', 'hex-id', 'epoch', 'date-phrase', 'tmp-path'] })],
  test: { testTimeout: 60_000 },
})
