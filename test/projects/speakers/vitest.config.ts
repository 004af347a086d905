import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

// A call takes 7 tokens: 0.7 cents.
const prices = { 'gpt-5': { input: 1_000, output: 1_000 } }

export default defineConfig({
  plugins: [cassettes({ prices })],
  test: { maxWorkers: 2, isolate: false },
})
