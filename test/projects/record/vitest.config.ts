import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

// A call takes 7 tokens: 0.7 cents.
const price = { input: 1_000, output: 1_000 }
const prices = { 'gpt-5': price, 'gpt-6': price }

export default defineConfig({
  plugins: [cassettes({ prices })],
  test: { maxWorkers: 2 },
})
