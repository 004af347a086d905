import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compiledSchemas } from './tooling/compiled-schemas.ts'
import { NIGHT } from './tooling/night.ts'
import { listPrices } from './tooling/list-prices.ts'
import { providerTables } from './tooling/provider-tables.ts'
import { projectsInTurn } from './tooling/projects-in-turn.ts'
import { randomSeed } from './tooling/random-seed.ts'
import { SkippedTests } from './tooling/skipped-tests.ts'

if (Number(process.versions.node.split('.')[0]) < 22) {
  throw new Error(
    `Node ${process.versions.node} runs this, but 22.12 is the oldest that can. Use "npm test", after "npm ci" with the same Node.`,
  )
}

/** The longest tests are several whole runs of Vitest, on whatever machine this is. */
const WHOLE_RUNS = 120_000

const MODES = ['test', 'all', 'night']

// `npm test` leaves the projects "rest", "lab" and "reliability" out. `npm run test:all` runs everything but the night, and
// `npm run test:night` all, and tries more of it.
export default defineConfig(({ mode }) => ({
  plugins: [compiledSchemas, listPrices, providerTables, projectsInTurn, randomSeed],
  test: {
    env: { TEST_MODE: modeOf(mode) },
    // The first two are those of Vitest.
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
      new SkippedTests(),
    ],
    setupFiles: ['test/properties.ts', 'test/parts.ts'],
    // A test that has compared nothing has shown nothing.
    expect: { requireAssertions: true },
    // A golden file that is not there is a failure on every machine. -u writes it.
    update: 'none',
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
            'test/{transports/intercept,reliability,e2e,lab,projects,.tmp}/**',
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
        test: {
          name: 'intercept',
          include: ['test/transports/{*,intercept/**/*}.test.ts'],
        },
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
        // They read what about sixteen runs of Vitest have written.
        test: {
          name: 'lab',
          // `LAB=drift npx vitest run --project lab` makes one scenario again, and shows its runs.
          include: [`test/lab/${process.env.LAB ?? '*'}.test.ts`],
          globalSetup: ['test/e2e/install-package.ts', 'test/lab/make-lab.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          testTimeout: WHOLE_RUNS,
          globalSetup: ['test/e2e/install-package.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'rest',
          include: ['test/e2e/*.test.ts', 'test/e2e/seeds/**/*.test.ts'],
          exclude: mode === 'night' ? [] : [...NIGHT],
          testTimeout: WHOLE_RUNS,
          globalSetup: ['test/e2e/install-package.ts'],
          isolate: false,
        },
      },
    ],
  },
}))

/** @throws Error for another mode, in which little would be tried */
function modeOf(mode: string): string {
  if (MODES.includes(mode)) return mode
  throw new Error(`There is no mode "${mode}": ${MODES.join(', ')}.`)
}
