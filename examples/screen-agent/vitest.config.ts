import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // A screen may move by a pixel, but the area around a click has to look as recorded.
  plugins: [cassettes({ images: { match: 'phash', threshold: 2, region: 160 } })],
  // The stand-in that cassettes are recorded from: see test/record.ts. Without it, that is Anthropic.
  test: {
    env: { ANTHROPIC_BASE_URL: process.env.STAND_IN_URL ?? 'http://127.0.0.1:4011' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
