import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { MAX_BYTES, CRASH } = process.env

export default defineConfig({
  test: { setupFiles: CRASH === '1' ? ['./crash.ts'] : [] },
  plugins: [cassettes(MAX_BYTES ? { maxCassetteBytes: Number(MAX_BYTES) } : {})],
})
