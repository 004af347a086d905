import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // A screen may move by a pixel; what is clicked has to look as it did.
  plugins: [cassettes({ images: { match: 'phash', threshold: 2, region: 160 } })],
  // What the cassettes were recorded from: see test/record.ts. Without it they would come from Anthropic.
  test: {
    env: { ANTHROPIC_BASE_URL: process.env.STAND_IN_URL ?? 'http://127.0.0.1:4011' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
