import { cassettes } from 'vitest-cassette/plugin'
import { defineConfig } from 'vitest/config'
import { withoutSetUp } from './pool.ts'

const { POOL, OVERRIDDEN, MODE, TYPES } = process.env

/** A plugin that comes later, and that wants no set-up files. */
const overriding = {
  name: 'overriding',
  configureVitest: ({ project }: { project: { config: { setupFiles: string[] } } }) => {
    project.config.setupFiles = []
  },
}

export default defineConfig({
  plugins: [cassettes(MODE ? { mode: 'off' } : {}), ...(OVERRIDDEN ? [overriding] : [])],
  test: {
    ...(POOL ? { pool: withoutSetUp } : {}),
    typecheck: { enabled: TYPES !== undefined, include: ['typed/*.test-d.ts'] },
  },
})
