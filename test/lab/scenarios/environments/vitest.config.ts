import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'

const { POOL, ISOLATE, ENVIRONMENT, PROJECTS } = process.env

export default defineConfig({
  plugins: [cassettes()],
  test: {
    pool: POOL as 'forks',
    isolate: ISOLATE !== 'false',
    environment: ENVIRONMENT ?? 'node',
    // One worker for all files: what one leaves behind, the next one finds.
    maxWorkers: 1,
    ...(PROJECTS
      ? {
          projects: ['chat', 'http'].map((name) => ({
            extends: true,
            test: { name, include: [`${name}.test.ts`] },
          })),
        }
      : {}),
  },
})
