import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { ISOLATE } = process.env

// maxWorkers: with `isolate: false`, all files share one process, and so one server.
export default defineConfig({
  plugins: [cassettes()],
  test: { isolate: ISOLATE !== 'false', maxWorkers: 1 },
})
