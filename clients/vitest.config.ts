import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // While recording, `localhost` stands for the host of Replicate's streams, which no path gives away.
  plugins: [cassettes({ hosts: ['localhost'] })],
  test: { testTimeout: 20_000, setupFiles: ['./attempts.ts'] },
})
