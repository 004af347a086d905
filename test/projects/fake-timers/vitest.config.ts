import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [cassettes()],
  test: {
    // Less than a connection is kept for that waits for a timer.
    testTimeout: 3_500,
    projects: ['node', 'jsdom', 'happy-dom'].map((environment) => ({
      extends: true,
      test: { name: environment, environment, include: [`${environment}.test.ts`] },
    })),
  },
})
