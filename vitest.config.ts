import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compiledSchemas } from './tooling/compiled-schemas.ts'
import { providerTables } from './tooling/provider-tables.ts'
import { projectsInTurn } from './tooling/projects-in-turn.ts'

if (Number(process.versions.node.split('.')[0]) < 22) {
  throw new Error(
    `Node ${process.versions.node} runs this, but 22.12 is the oldest that can. Use "npm test".`,
  )
}

/** The longest tests are several whole runs of Vitest, on whatever machine this is. */
const WHOLE_RUNS = 120_000

// `npm test` leaves the project "rest" out. `npm run test:all` runs everything, and tries more of it.
export default defineConfig(({ mode }) => ({
  plugins: [compiledSchemas, providerTables, projectsInTurn],
  test: {
    env: mode === 'all' ? { TEST_ALL: '1' } : {},
    setupFiles: ['test/properties.ts', 'test/late-parts.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Most of the time they wait for the processes that they start.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/{transports/intercept,reliability,e2e,projects,.tmp}/**',
            'test/transports/*.test.ts',
            'test/recordings/format-*',
          ],
          // One process for all: none leaves anything behind that another could see.
          isolate: false,
        },
      },
      {
        extends: true,
        // A process each: they patch what a process has one of.
        test: { name: 'intercept', include: ['test/transports/{*,intercept/**/*}.test.ts'] },
      },
      {
        extends: true,
        // What this package records and replays of its own, in `__recordings__`: see npm run record.
        test: {
          name: 'recordings',
          include: ['test/recordings/format-*.test.ts'],
          setupFiles: ['test/recordings/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'core',
          include: ['test/e2e/core/**/*.test.ts'],
          testTimeout: WHOLE_RUNS,
          globalSetup: ['test/e2e/install-package.ts'],
          // What they test are other processes: loaded anew for each file, this package takes half a second.
          isolate: false,
        },
      },
      {
        extends: true,
        // A process each: some mock modules of this package.
        test: {
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          testTimeout: WHOLE_RUNS,
          globalSetup: ['test/e2e/install-package.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'rest',
          include: ['test/e2e/*.test.ts', 'test/e2e/seeds/**/*.test.ts'],
          testTimeout: WHOLE_RUNS,
          globalSetup: ['test/e2e/install-package.ts'],
          isolate: false,
        },
      },
    ],
  },
}))
