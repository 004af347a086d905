import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'
import { STAND_IN } from './test/stand-in.ts'

export default defineConfig({
  plugins: [cassettes()],
  // The stand-in that cassettes are recorded from: see test/record.ts. Without it, that are OpenAI and Anthropic.
  test: { include: ['test/**/*.test.ts'], env: STAND_IN, testTimeout: 30_000 },
})
