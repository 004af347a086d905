import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { SETUP } = process.env

// The plugin sets itself up before every other file, so the lab cannot run this.
export default defineConfig({
  ...(SETUP === 'late' ? {} : { plugins: [cassettes()] }),
  test: { testTimeout: 5_000, setupFiles: SETUP === 'late' ? ['./late-setup.ts'] : [] },
})
